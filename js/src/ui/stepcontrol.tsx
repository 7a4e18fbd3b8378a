// The row at the foot of the dashboard that shows and chooses the step of all cards, and which steps charts show.

import { formatCount, formatTick } from "../lib/format";
import { timeAxis } from "../lib/xaxis";
import { type ExactStep, type StepRange, timeAxisOptions } from "../options/shared";
import { globalStep } from "./globalstep";
import { StepPlayer } from "./stepplayer";
import { NamedStrip, RangeStrip } from "./steprange";
import type { StepSource } from "./stepsource";
import { stepTexts } from "./texts";
import { useOptions, useView } from "./view";

interface Props {
  /** Above a chart that covers the dashboard, where other buttons would have no effect that can be seen. */
  readonly alone?: boolean;
}

/** Nothing where the shown panel has no steps. */
export function StepControl({ alone = false }: Props) {
  const panel = useView().panel.value;
  return panel?.useSteps && <OfPanel key={panel.name} useSteps={panel.useSteps} alone={alone} />;
}

interface OfPanelProps extends Required<Props> {
  useSteps(): StepSource;
}

function OfPanel({ useSteps, alone }: OfPanelProps) {
  const view = useView();
  const { x_axis, step_range, linked_step } = useOptions(timeAxisOptions);
  const source = useSteps();
  const { span, along, Tools, Table } = source;
  const isAlong = along !== undefined && timeAxis(x_axis.value) === "step";
  const range = isAlong ? step_range.value : null;
  const table = Table && !alone && <Table />;
  if (span === null || (span[0] === span[1] && linked_step.value === null && range === null)) {
    return table;
  }
  const control = (
    <fieldset class="tbwidget-step-control" aria-label={stepTexts().control}>
      <StepPlayer
        source={source}
        option={globalStep(view)}
        label={stepTexts().allCards}
        hint={stepTexts().allCardsHint}
      >
        {isAlong && along.strip && span[0] < span[1] ? (
          <RangeStrip span={span} selected={along.selected} />
        ) : (
          <NamedStrip span={span} />
        )}
      </StepPlayer>
      {range !== null && (
        <button type="button" class="tbwidget-chip" title={stepTexts().allSteps} onClick={() => step_range.set(null)}>
          {stepTexts().fromTo(formatStep(range[0], range), formatStep(range[1], range))}
        </button>
      )}
      {Tools && !alone && <Tools />}
    </fieldset>
  );
  return (
    <>
      {table}
      {control}
    </>
  );
}

function formatStep(step: ExactStep, range: StepRange): string {
  const [first, last] = [Number(range[0]), Number(range[1])];
  return typeof step === "bigint"
    ? formatCount(step)
    : formatTick(step, Math.max(1, 10 ** Math.floor(Math.log10(Math.max(1, last - first)) - 1)));
}
