// What other panels that draw scalars have of the options and controls of this one.

export { AxesMenu } from "../axes/axesmenu";
export { LinesMenu } from "../compare/linesmenu";
export { StepBar } from "../compare/stepbar";
export { ValuesTable } from "../compare/valuestable";
export { useTagAlongX } from "../compare/wanted";
export { compareOptions, scalarsOptions } from "../options";
export { Smoothing } from "../smoothing";
