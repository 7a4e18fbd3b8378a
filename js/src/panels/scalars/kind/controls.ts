// What other panels that draw scalars have of the choices and controls of this one.

export { AxesMenu } from "../axes/axesmenu";
export { compareChoices, scalarsChoices } from "../choices";
export { LinesMenu } from "../compare/linesmenu";
export { StepBar } from "../compare/stepbar";
export { ValuesTable } from "../compare/valuestable";
export { useTagAlongX } from "../compare/wanted";
export { Smoothing } from "../smoothing";
