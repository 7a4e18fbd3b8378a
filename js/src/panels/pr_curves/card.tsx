// The cards of PR curves: of one tag, and of several that the user has put together or that match a regular expression.

import { useMemo, useRef } from "preact/hooks";
import { allShown, ItemSlider } from "../../items/playback";
import { stepsOfTag, unionOfSteps } from "../../items/steps";
import { itemTexts } from "../../items/texts";
import { commonTexts } from "../../lib/commontexts";
import { formatCount } from "../../lib/format";
import type { CardFrame } from "../../ui/card";
import { ChartCard } from "../../ui/chartcard";
import type { CardProps, SeveralProps } from "../../ui/groups";
import { Superseded } from "../../ui/marks";
import { SeveralTagsCard } from "../../ui/severalcard";
import { cardTexts } from "../../ui/texts";
import { useOptions, useView } from "../../ui/view";
import type { TagCurves } from "./codec";
import { CurvesLegend, formatArea } from "./legend";
import { prCurvesOptions } from "./options";
import { curvesOf, stepOf, type TagPart } from "./shown";
import { averagePrecisionSource, curvesSource } from "./source";
import { curvesTable } from "./table";
import { prCurveTexts } from "./texts";

export function CurveCard({ tag, label, data }: CardProps<TagCurves>) {
  return <Card label={label} parts={[{ tag, data }]} />;
}

/** Tags that a card draws. */
const MAX_TAGS = 24;

export function SeveralCurves({ id: _id, takeOut: _takeOut, ...several }: SeveralProps<TagCurves>) {
  return (
    <SeveralTagsCard panel="pr_curves" {...several}>
      {({ shown, label, title, buttons }) => <Card label={label} parts={shown} composed={{ title, buttons }} />}
    </SeveralTagsCard>
  );
}

interface Props {
  readonly label: string;
  readonly parts: readonly TagPart[];
  /** Title and buttons of a card that shows several tags. */
  readonly composed?: Pick<Parameters<typeof CardFrame>[0], "title" | "buttons">;
}

function Card({ label, parts: all, composed }: Props) {
  const draws = useOptions(prCurvesOptions).pr_curve.value;
  // The same objects as long as the card shows the same.
  const last = useRef<{ readonly parts: readonly TagPart[]; readonly data: ReturnType<typeof joined> } | null>(null);
  const some = all.slice(0, MAX_TAGS);
  const known = last.current?.parts;
  if (
    known?.length !== some.length ||
    some.some(({ tag, data }, i) => known[i]?.tag !== tag || known[i].data !== data)
  ) {
    last.current = { parts: some, data: joined(some) };
  }
  const { parts, data } = last.current as NonNullable<typeof last.current>;
  const tags = parts.map(({ tag }) => tag);
  const [tag = ""] = tags;
  const name = composed?.title ?? tag;
  const more = all.length - parts.length;
  return (
    <ChartCard
      key={draws}
      panel="pr_curves"
      tag={tag}
      label={label}
      data={data}
      marks={<Marks parts={parts} more={more} />}
      legend={
        <>
          <Steps parts={parts} />
          <CurvesLegend parts={parts} />
        </>
      }
      table={curvesTable}
      source={(_host, view) =>
        draws === "average_precision"
          ? (averagePrecisionSource(name, parts, view) as ReturnType<typeof curvesSource>)
          : curvesSource(name, parts, draws, view)
      }
      {...(composed === undefined ? {} : { tags, only: true, ...composed })}
    />
  );
}

/** The data of several tags as one. */
function joined(parts: readonly TagPart[]) {
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0
    ? only.data
    : {
        get failures() {
          return new Map(parts.flatMap(({ data }) => [...data.failures]));
        },
        get byRun() {
          return new Map<string, unknown>(parts.flatMap(({ data }) => [...data.byRun]));
        },
      };
}

function Steps({ parts }: { readonly parts: readonly TagPart[] }) {
  const view = useView();
  const [tag = ""] = parts.map((part) => part.tag);
  const ready = useMemo(() => allShown(view, "pr_curves", tag), [view, tag]);
  const steps = unionOfSteps(parts.map(({ data }) => stepsOfTag(data, view)));
  return (
    <ItemSlider
      steps={steps}
      option={stepOf(parts, view)}
      label={itemTexts().cardStep(tag)}
      hint={itemTexts().cardStepHint}
      ready={ready}
    />
  );
}

/** The smallest and the largest area under the drawn curves. */
function Marks({ parts, more }: { readonly parts: readonly TagPart[]; readonly more: number }) {
  const view = useView();
  const draws = useOptions(prCurvesOptions).pr_curve.value;
  const shown = curvesOf(parts, view);
  const areas = shown
    .map(({ row }) => (draws === "roc" ? row.rocAuc : row.averagePrecision))
    .filter((area) => !Number.isNaN(area));
  const [least, most] = [formatArea(Math.min(...areas)), formatArea(Math.max(...areas))];
  return (
    <span class="tbwidget-marks">
      <Superseded series={shown.map(({ held }) => held)} />
      {more > 0 && <abbr title={cardTexts().moreTagsHint}>{cardTexts().moreTags(formatCount(more))}</abbr>}
      {areas.length > 0 && (
        <span>
          {prCurveTexts().value(
            draws === "roc" ? prCurveTexts().auc : prCurveTexts().averagePrecision,
            least === most ? least : commonTexts().fromTo(least, most),
          )}
        </span>
      )}
    </span>
  );
}
