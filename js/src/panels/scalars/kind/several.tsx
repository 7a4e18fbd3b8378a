// The card of the scalars of several tags: lines by run and tag, and a legend that names both.

import { computed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { formatCount } from "../../../lib/format";
import { sharedStart, shortened } from "../../../lib/names";
import type { ScaleName } from "../../../lib/scale";
import { strings } from "../../../lib/strings";
import type { CardData } from "../../../ui/card";
import { ChartCard } from "../../../ui/chartcard";
import { Elided } from "../../../ui/elided";
import { Superseded } from "../../../ui/marks";
import { runsOf, shownSeries } from "../../../ui/runs";
import { RunsLegend } from "../../../ui/runslegend";
import { stepsInSight, useOptions, useView } from "../../../ui/view";
import { CardAxes } from "../axes/cardaxes";
import { limitsOf, setValueScale } from "../axes/chosen";
import { drawnGroups, tagAlongX } from "../compare/lines";
import { isDifference } from "../compare/options";
import { Along, Compared, MemoryShort } from "../marks";
import { compareOptions } from "../options";
import { waitsForSuperseded } from "../superseded";
import type { TagScalars } from "./codec";
import { tagStyle } from "./dashes";
import { isWhole } from "./detail";
import type { Series } from "./series";
import { drawnScale, scaleOfAll, type TagLines, type TagPoint } from "./severalcontent";
import { severalSource } from "./severalsource";
import { scalarsTable } from "./table";

/** Tags that a card draws, and runs that its legend names. */
const MOST_TAGS = 24;
const MOST_RUNS = 8;

interface Props {
  readonly panel: string;
  /** Tells it from all other cards. */
  readonly id: string;
  readonly label: string;
  readonly title: string;
  readonly shown: readonly TagLines[];
  readonly buttons?: ComponentChildren;
  /** Where a tag can be taken out. */
  readonly takeOut?: ((tag: string) => void) | undefined;
}

/** What a card shows, and what tells it from anything else that it could show. */
interface Shown {
  readonly key: readonly unknown[];
  readonly data: CardData;
  readonly shown: readonly TagLines[];
}

export function SeveralTags({ panel, id, label, title, shown: all, buttons, takeOut }: Props) {
  const view = useView();
  const { baseline } = useOptions(compareOptions);
  const parts = all.slice(0, MOST_TAGS);
  const tags = parts.map(({ tag }) => tag);
  const every = parts.flatMap(({ data, lower, upper }) => [data, lower, upper]).filter((one) => one !== undefined);
  // The same object as long as the card shows the same. What a saved page held is replaced by other objects of the same tags.
  const key = [id, ...parts.flatMap(({ tag, data, lower, upper }) => [tag, data, lower, upper])];
  const last = useRef<Shown | null>(null);
  if (last.current?.key.length !== key.length || key.some((one, i) => one !== last.current?.key[i])) {
    last.current = { key, data: combined(every), shown: parts };
  }
  const { data, shown } = last.current;
  const scale = scaleOfAll(tags, view);
  const signed = shown.some((part) => isDifference(part.data, view));
  const isSymlog = scale.name === "symlog" || signed;
  const isScaled = drawnScale(shown, view).name !== "linear";
  const setScale = (name: ScaleName) => {
    for (const tag of tags) {
      setValueScale(view, tag, name);
    }
  };
  const series = shown.flatMap((part) => shownSeries(part.data, view));
  const range = stepsInSight(tags[0] ?? "", view.times.value, view.channel, view.options);
  const buckets = series.filter((one) => !isWhole(one, range));
  return (
    <ChartCard<readonly TagPoint[]>
      panel={panel}
      tag={tags[0] ?? ""}
      tags={shown.flatMap((part) => [part.tag, ...(part.margins ?? [])])}
      label={label}
      title={title}
      only
      data={data}
      waits={shown.some((part) => waitsForSuperseded(part.data).value)}
      marks={
        <span class="tbwidget-marks">
          <Superseded series={series} />
          {buckets.length > 0 && (
            <abbr title={strings.bucketsHint(countOf(buckets, "value"), countOf(buckets, "total"))}>
              {strings.buckets}
            </abbr>
          )}
          <MemoryShort series={series} />
          <Along runs={shown.flatMap((part) => runsOf(part.data, view))} view={view} />
          {baseline.value !== null && <Compared held={shown.map((part) => part.data)} run={baseline.value} />}
          {all.length > tags.length && (
            <abbr title={strings.cards.moreTagsHint}>
              {strings.cards.moreTags(formatCount(all.length - tags.length))}
            </abbr>
          )}
        </span>
      }
      buttons={buttons}
      legend={<Legend shown={shown} takeOut={tags.length > 1 ? takeOut : undefined} />}
      log={{
        on: isScaled,
        hint: isSymlog ? strings.symlogHint : strings.logHint,
        name: isSymlog ? strings.scales.symlog.toLowerCase() : strings.log,
        toggle: () => setScale(isScaled ? "linear" : signed ? "symlog" : "log"),
      }}
      tools={(fit) => <CardAxes tags={tags} scale={scale} fit={fit} active={limitsOf(view, tags) !== undefined} />}
      table={scalarsTable(panel)}
      source={(_host, view) => severalSource(panel, title, shown, data, view)}
    />
  );
}

function countOf(series: readonly Series[], what: "value" | "total"): string {
  return formatCount(series.reduce((sum, one) => sum + (what === "value" ? one.value.length : one.total), 0));
}

/** What changes whenever something of any of them does. */
function combined(every: readonly TagScalars[]): CardData {
  return {
    version: computed(() => every.reduce((sum, { version }) => sum + version.value, 0)),
    get failures() {
      return new Map(every.flatMap(({ failures }) => [...failures]));
    },
    get byRun() {
      return new Map(every.flatMap(({ byRun }) => [...byRun]));
    },
  };
}

interface LegendProps {
  readonly shown: readonly TagLines[];
  readonly takeOut: ((tag: string) => void) | undefined;
}

function Legend({ shown, takeOut }: LegendProps) {
  const view = useView();
  const theme = view.theme.value;
  const shared = sharedStart(shown.map(({ tag }) => tag));
  const byRun = new Map<string, unknown>(
    shown.flatMap(({ data }) => {
      void data.version.value;
      return [...data.byRun];
    }),
  );
  const runs = view.channel.store.runs.value.filter((run) => byRun.has(run) && view.options.shows(run));
  const aggregated = useOptions(compareOptions).aggregate.value !== null && tagAlongX(view) === null;
  const groups = drawnGroups(
    shown.map(({ data }) => data),
    view,
  );
  const colours = aggregated
    ? groups.map(({ colour }) => colour)
    : runs.map((run) => view.options.colourOf.value(run, theme));
  // The dashes of one run, or of what is made of all, have its colour.
  const only = colours.length === 1 ? colours[0] : undefined;
  return (
    <ul class="tbwidget-legend" aria-label={strings.cards.legend}>
      {shown.map(({ tag }, i) => {
        const { dash, colourOf } = tagStyle(i, theme);
        return (
          <li key={`${i} ${tag}`} data-tag-line={tag}>
            <svg width="22" height="6" viewBox="0 0 22 6" aria-hidden="true">
              <path
                d="M0 3h22"
                stroke-dasharray={dash.join(" ")}
                style={only === undefined ? {} : { stroke: colourOf(only) }}
              />
            </svg>
            <span title={tag}>
              <Elided text={shortened(tag, shared)} />
            </span>
            {takeOut !== undefined && (
              <button
                type="button"
                title={strings.cards.takeOut(tag)}
                aria-label={strings.cards.takeOut(tag)}
                onClick={() => takeOut(tag)}
              >
                ×
              </button>
            )}
          </li>
        );
      })}
      {runs.length > 1 && !aggregated && <RunsLegend byRun={byRun} most={MOST_RUNS} />}
      {groups.slice(0, MOST_RUNS).map(({ text, colour }) => (
        <li key={`group ${text}`}>
          <i style={{ background: colour }} />
          <span title={text}>{text}</span>
        </li>
      ))}
    </ul>
  );
}
