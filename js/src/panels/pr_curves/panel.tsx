// The PR curves: cards by tag, and the controls that hold for all of them.

import { useSignal } from "@preact/signals";
import { ownStep } from "../../items/actions";
import { useItemSteps } from "../../items/playback";
import type { Option } from "../../options/declare";
import { namedRangeOptions } from "../../options/namedranges";
import { timeAxisOptions } from "../../options/shared";
import type { Action } from "../../ui/actions";
import { cardActions } from "../../ui/cardactions";
import { arrangeActions, chartCardActions, severalActions } from "../../ui/cardcommands";
import { choiceAmong } from "../../ui/choices";
import { FilterTags } from "../../ui/controls";
import { cardGestures, chartGestures } from "../../ui/gestures";
import { Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { pressing } from "../../ui/reach";
import { SavePanel } from "../../ui/save/savepanel";
import { menuTexts } from "../../ui/texts";
import { Toolbar } from "../../ui/toolbar";
import { useOptions, useView, type View } from "../../ui/view";
import { AreaMap } from "./areamap";
import { CurveCard, SeveralCurves } from "./card";
import { curves } from "./codec";
import { DRAWS, prCurvesOptions } from "./options";
import { curvesTable } from "./table";
import { prCurveTexts } from "./texts";
import "./pr_curves.css";

export function PRCurvesPanel() {
  const { channel } = useView();
  return (
    <div class="tbwidget-pr">
      <AreaMap />
      <Groups of={channel.store.items(curves)} Card={CurveCard} Several={SeveralCurves} />
    </div>
  );
}

export function PRCurvesToolbar() {
  const view = useView();
  return (
    <Toolbar
      name={prCurveTexts().title}
      actions={ACTIONS}
      save={<SavePanel table={curvesTable} />}
      filter={<FilterTags tags={tagsOf(view)} />}
    />
  );
}

const tagsOf = ({ channel }: View) => channel.store.items(curves).tags.value;

const optionsOf = ({ options }: View) => options.of(prCurvesOptions);

const behind = { menu: "lines", section: () => menuTexts().sections.behind } as const;

const ACTIONS: readonly Action[] = [
  choiceAmong({
    id: "pr_curves.pr_curve",
    bar: "drawn",
    name: () => prCurveTexts().drawsTitle,
    values: DRAWS,
    names: () => prCurveTexts().draws,
    hints: () => prCurveTexts().drawHints,
    option: (view) => optionsOf(view).pr_curve,
  }),
  {
    kind: "form",
    id: "pr_curves.threshold",
    bar: "drawn",
    name: () => prCurveTexts().threshold,
    hint: () => prCurveTexts().thresholdHint,
    Form: () => <Threshold option={useOptions(prCurvesOptions).pr_threshold} />,
  },
  {
    kind: "number",
    id: "pr_curves.pr_threshold",
    name: () => prCurveTexts().threshold,
    least: 0,
    most: 1,
    none: () => prCurveTexts().withoutThreshold,
    option: (view) => optionsOf(view).pr_threshold,
  },
  {
    ...behind,
    kind: "toggle",
    id: "pr_curves.pr_iso_f1",
    name: () => prCurveTexts().isoF1,
    hint: () => prCurveTexts().isoF1Hint,
    option: (view) => optionsOf(view).pr_iso_f1,
    applies: (view) => optionsOf(view).pr_curve.value === "pr",
  },
  {
    ...behind,
    kind: "toggle",
    id: "pr_curves.pr_earlier_steps",
    name: () => prCurveTexts().earlier,
    hint: () => prCurveTexts().earlierHint,
    option: (view) => optionsOf(view).pr_earlier_steps,
    applies: (view) => optionsOf(view).pr_curve.value !== "average_precision",
  },
  ...cardActions(tagsOf),
  pressing("pr_curves.combine", () => prCurveTexts().combine),
  pressing("pr_curves.separate", () => prCurveTexts().separate),
  ...chartCardActions,
  ownStep,
  ...severalActions,
  ...arrangeActions,
  ...chartGestures({
    without: ["upright"],
    texts: () => prCurveTexts().keys,
    click: () => prCurveTexts().keys.link,
  }),
  ...cardGestures(true),
];

interface Props {
  readonly option: Pick<Option<number | null>, "value" | "set">;
}

export function Threshold({ option }: Props) {
  const { value } = option;
  /** The refused text, and the threshold that stayed. A threshold that is set on a chart ends the message. */
  const refused = useSignal<{ readonly text: string; readonly kept: number | null } | null>(null);
  const wrong = refused.value?.kept === value ? refused.value : null;
  return (
    <label class="tbwidget-pr-threshold" title={prCurveTexts().thresholdHint}>
      <span>{prCurveTexts().threshold}</span>
      <input
        type="number"
        data-lm-suppress-shortcuts="true"
        min={0}
        max={1}
        step={0.01}
        value={wrong?.text ?? (value === null ? "" : String(Number(value.toPrecision(4))))}
        placeholder="–"
        aria-invalid={wrong !== null}
        onChange={({ currentTarget: { value: text, validity } }) => {
          const typed = text === "" ? null : Number(text);
          const isThreshold = !validity.badInput && (typed === null || (typed >= 0 && typed <= 1));
          refused.value = isThreshold ? null : { text, kept: value };
          if (isThreshold) {
            option.set(typed);
          }
        }}
      />
      {wrong !== null && (
        <small class="tbwidget-range-problem" role="status">
          {prCurveTexts().noThreshold}
        </small>
      )}
    </label>
  );
}

export const pr_curves = definePanel({
  name: "pr_curves",
  title: () => prCurveTexts().title,
  codecs: [curves],
  options: [timeAxisOptions, namedRangeOptions, prCurvesOptions],
  actions: ACTIONS,
  useSteps: () => useItemSteps(curves),
  Toolbar: PRCurvesToolbar,
  Body: PRCurvesPanel,
});
