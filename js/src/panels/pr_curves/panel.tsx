// The PR curves: cards by tag, and the controls that hold for all of them.

import { AllStepsSlider } from "../../items/playback";
import { strings } from "../../lib/strings";
import { CardsMenu } from "../../ui/cardsmenu";
import { Check, FilterTags, Segments } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { SavePanel } from "../../ui/save/savepanel";
import { useOptions, useView } from "../../ui/view";
import { AreaMap } from "./areamap";
import { CurveCard, SeveralCurves } from "./card";
import { curves } from "./codec";
import { DRAWS, prCurvesOptions } from "./options";
import { curvesTable } from "./table";

const { prCurves: texts } = strings;

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
  const { pr_curve, pr_iso_f1, pr_earlier_steps } = useOptions(prCurvesOptions);
  const draws = pr_curve.value;
  return (
    <div class="tbwidget-toolbar">
      <Segments
        title={texts.drawsTitle}
        options={DRAWS}
        names={texts.draws}
        hints={texts.drawHints}
        chosen={draws}
        choose={(one) => pr_curve.set(one)}
      />
      <AllStepsSlider codec={curves} />
      <Threshold />
      {draws === "pr" && <Check option={pr_iso_f1} name={texts.isoF1} hint={texts.isoF1Hint} />}
      {draws !== "average_precision" && (
        <Check option={pr_earlier_steps} name={texts.earlier} hint={texts.earlierHint} />
      )}
      <CardsMenu tags={tags.value} />
      <SavePanel table={curvesTable} />
      <FilterTags tags={tags.value} />
    </div>
  );
}

/** Marks one threshold on all curves. */
function Threshold() {
  const { pr_threshold } = useOptions(prCurvesOptions);
  const { value } = pr_threshold;
  return (
    <label class="tbwidget-pr-threshold" title={texts.thresholdHint}>
      <span>{texts.threshold}</span>
      <input
        type="number"
        data-lm-suppress-shortcuts="true"
        min={0}
        max={1}
        step={0.01}
        value={value === null ? "" : String(Number(value.toPrecision(4)))}
        placeholder="–"
        onChange={({ currentTarget }) => {
          const typed = currentTarget.valueAsNumber;
          pr_threshold.set(typed >= 0 && typed <= 1 ? typed : null);
        }}
      />
    </label>
  );
}
