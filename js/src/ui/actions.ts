// The actions of panels and of the dashboard. Menus, buttons, keys, the help sheet and the palette all show this one table.

export type {
  Action,
  BarName,
  Choice,
  Command,
  Form,
  FormProps,
  Gesture,
  MenuName,
  NumberAction,
  SliderRange,
  StepAction,
  Toggle,
} from "./declarations";
export { BARS, MENUS } from "./declarations";
