// The menus of axes: of all cards, and of one. Both are a list of rows with a name and a control.

import type { ComponentChildren } from "preact";
import { SCALE_NAMES, type ScaleName } from "../../../lib/scale";
import { strings } from "../../../lib/strings";
import { Segments } from "../../../ui/controls";
import { Popover } from "../../../ui/popover";
import { StepLimits } from "./steplimits";

interface FormProps {
  readonly label: string;
  readonly title: string;
  readonly active: boolean;
  /** Called while the menu is open. */
  children(): ComponentChildren;
}

export function AxesForm({ label, title, active, children }: FormProps) {
  return (
    <Popover label={label} title={title} active={active}>
      {() => <div class="tbwidget-axes">{children()}</div>}
    </Popover>
  );
}

interface RowProps {
  readonly name: string;
  readonly hint?: string | undefined;
  readonly children: ComponentChildren;
}

export function AxesRow({ name, hint, children }: RowProps) {
  return (
    <div title={hint}>
      <span>{name}</span>
      {children}
    </div>
  );
}

interface ScaleProps {
  readonly name: string;
  readonly hints: Readonly<Record<ScaleName, string>>;
  readonly chosen: ScaleName;
  choose(scale: ScaleName): void;
  /** Why there is no option. */
  readonly fixed?: string | undefined;
}

export function ScaleRow({ name, hints, chosen, choose, fixed }: ScaleProps) {
  return (
    <AxesRow name={name} hint={fixed}>
      <Segments
        title={name}
        options={SCALE_NAMES}
        names={strings.scales}
        hints={hints}
        chosen={chosen}
        choose={choose}
        disabled={fixed !== undefined}
      />
    </AxesRow>
  );
}

export function StepsRow() {
  return (
    <AxesRow name={strings.stepsInSight}>
      <StepLimits />
    </AxesRow>
  );
}
