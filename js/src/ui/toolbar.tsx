// The line of controls of a panel: what is drawn, the x axis, menus, saving, and the filter at the end.

import type { ComponentChildren } from "preact";
import { ActionMenus, ChoiceControl, offered } from "./actionmenu";
import { type Action, BARS } from "./actions";
import { Check } from "./controls";
import { menuTexts } from "./texts";
import { useView, useWindowWidth } from "./view";
import { widthClassOf } from "./widths";

interface Props {
  /** Of the panel: for assistive technology. */
  readonly name: string;
  readonly actions: readonly Action[];
  /** It is as wide as the window, over a chart that fills it. */
  readonly inWindow?: boolean;
  /** The menu that saves. */
  readonly save?: ComponentChildren;
  /** The filter, at the end. */
  readonly filter?: ComponentChildren;
  /** Between the menu that saves and the filter. */
  readonly children?: ComponentChildren;
  onKeyDown?(event: KeyboardEvent): void;
}

export function Toolbar({ name, actions, inWindow = false, save, filter, children, onKeyDown }: Props) {
  const view = useView();
  const windowWidth = useWindowWidth(inWindow);
  const isNarrow = (inWindow ? widthClassOf(windowWidth) : view.widthClass.value) !== "wide";
  const shown = offered(actions, view);
  return (
    <div class="tbwidget-toolbar" role="toolbar" aria-label={menuTexts().toolbarOf(name)} onKeyDown={onKeyDown}>
      {BARS.flatMap((part) => shown.filter(({ bar, menu }) => bar === part && !(isNarrow && menu))).map((action) => (
        <BarControl key={action.id} action={action} isNarrow={isNarrow} />
      ))}
      <ActionMenus actions={actions} isNarrow={isNarrow} />
      {save}
      {children}
      {filter}
    </div>
  );
}

interface ControlProps {
  readonly action: Action;
  readonly isNarrow: boolean;
}

/** The control of an action that stands in a toolbar. */
export function BarControl({ action, isNarrow }: ControlProps) {
  const view = useView();
  switch (action.kind) {
    case "toggle":
      return <Check option={action.option(view)} name={action.name()} hint={action.hint?.() ?? ""} />;
    case "choice":
      return action.isList ? (
        // biome-ignore lint/a11y/noLabelWithoutControl: it is around the list.
        <label title={action.hint?.()}>
          <span>{action.name()}</span>
          <ChoiceControl action={action} />
        </label>
      ) : (
        <ChoiceControl action={action} isNarrow={isNarrow} />
      );
    case "command":
      return (
        <button type="button" class="tbwidget-button" title={action.hint?.()} onClick={() => action.run(view)}>
          {action.name()}
        </button>
      );
    case "form":
      return <action.Form isNarrow={isNarrow} close={() => {}} />;
    default:
      return null;
  }
}
