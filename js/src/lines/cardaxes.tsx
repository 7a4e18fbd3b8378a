// The menu of one card: scale and limits of its values, and the steps in sight.

import type { AxisScale } from "../lib/scale";
import { strings } from "../lib/strings";
import { parseNumber, RangeBoxes } from "../ui/rangeboxes";
import { useView } from "../ui/view";
import { AxesForm, AxesRow, ScaleRow, StepsRow } from "./axesform";
import { limitsOf, setLimits, setValueScale } from "./chosen";

interface Props {
  /** All that the card shows: what is chosen is for each of them. */
  readonly tags: readonly string[];
  readonly scale: AxisScale;
  readonly active: boolean;
  fit(): void;
}

export function CardAxes({ tags, scale, active, fit }: Props) {
  const view = useView();
  const [low, high] = limitsOf(view, tags) ?? [null, null];
  return (
    <AxesForm label={strings.cardAxes} title={strings.cardAxesHint} active={active}>
      {() => (
        <>
          <ScaleRow
            name={strings.yScale}
            hints={strings.yScaleHints}
            chosen={scale.name}
            choose={(name) => {
              for (const tag of tags) {
                setValueScale(view, tag, name);
              }
            }}
          />
          <AxesRow name={strings.valuesFromTo}>
            <RangeBoxes
              names={strings.valueLimits}
              hint={strings.valuesFromToHint}
              open={[strings.fitted, strings.fitted]}
              low={low}
              high={high}
              parse={parseNumber}
              set={(from, to) => {
                for (const tag of tags) {
                  setLimits(view, tag, [from, to]);
                }
              }}
            />
          </AxesRow>
          <StepsRow />
          <button type="button" class="tbwidget-button" title={strings.fitToDataHint} onClick={fit}>
            {strings.fitToData}
          </button>
        </>
      )}
    </AxesForm>
  );
}
