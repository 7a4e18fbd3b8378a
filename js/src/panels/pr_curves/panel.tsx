// The PR curves: cards by tag, and the controls that hold for all of them.

import { useSignal } from "@preact/signals";
import { useItemSteps } from "../../items/playback";
import type { Option } from "../../options/declare";
import { timeAxisOptions } from "../../options/shared";
import { CardsMenu } from "../../ui/cardsmenu";
import { Check, FilterTags, Segments } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { SavePanel } from "../../ui/save/savepanel";
import { useOptions, useView } from "../../ui/view";
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
  const { tags } = useView().channel.store.items(curves);
  const { pr_curve, pr_threshold, pr_iso_f1, pr_earlier_steps } = useOptions(prCurvesOptions);
  const draws = pr_curve.value;
  return (
    <div class="tbwidget-toolbar">
      <Segments
        title={prCurveTexts().drawsTitle}
        options={DRAWS}
        names={prCurveTexts().draws}
        hints={prCurveTexts().drawHints}
        chosen={draws}
        choose={(one) => pr_curve.set(one)}
      />
      <Threshold option={pr_threshold} />
      {draws === "pr" && <Check option={pr_iso_f1} name={prCurveTexts().isoF1} hint={prCurveTexts().isoF1Hint} />}
      {draws !== "average_precision" && (
        <Check option={pr_earlier_steps} name={prCurveTexts().earlier} hint={prCurveTexts().earlierHint} />
      )}
      <CardsMenu tags={tags.value} />
      <SavePanel table={curvesTable} />
      <FilterTags tags={tags.value} />
    </div>
  );
}

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
  options: [timeAxisOptions, prCurvesOptions],
  useSteps: () => useItemSteps(curves),
  Toolbar: PRCurvesToolbar,
  Body: PRCurvesPanel,
});
