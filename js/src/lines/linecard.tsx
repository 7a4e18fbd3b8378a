// A card of lines: of one tag, or of several that the user, a pattern or a layout has put together.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { measureLabel } from "../charts/text";
import { commonTexts } from "../lib/commontexts";
import type { ScaleName } from "../lib/scale";
import { isSplitCard } from "../lib/tagorder";
import type { CardData } from "../ui/card";
import { ChartCard, MAX_WINDOW_RUNS } from "../ui/chartcard";
import { Elided } from "../ui/elided";
import { RunsLegend } from "../ui/runname";
import { shownName } from "../ui/tagtitle";
import { cardTexts, uiTexts } from "../ui/texts";
import { Toolbar } from "../ui/toolbar";
import { useOptions, useView } from "../ui/view";
import { chartActions } from "./actions";
import { CardAxes, limitsOf, setValueScale } from "./axes";
import { scalarsTable } from "./codec";
import { drawnGroups, isDifference, tagAlongX } from "./compare";
import { drawnScale, scaleOfAll, shortTags, styleOf, type TagLines } from "./content";
import { CutOffer, LineMarks } from "./marks";
import { compareOptions } from "./options";
import type { LinePoint } from "./points";
import { type CutCount, scalarsSource } from "./source";
import { waitsForSuperseded } from "./superseded";
import { lineTexts } from "./texts";

/** Tags that a card draws. */
const MAX_TAGS = 24;
/** Runs that its legend names. */
const MAX_RUNS = 8;
/** CSS pixels around the name of a tag in a legend. */
const AROUND_TAG_PX = 42;

interface Props {
  readonly panel: string;
  readonly label: string;
  readonly shown: readonly TagLines[];
  /** Null for the card that each tag has of its own. */
  readonly composed: Composed | null;
  /** Further marks beside its name. */
  readonly marks?: ComponentChildren;
  /** Further buttons. */
  readonly buttons?: ComponentChildren;
  /** The values of its lines, behind the marks. */
  readonly value?: ComponentChildren;
}

interface Composed {
  /** Tells the card from all others. */
  readonly id: string;
  readonly title: string;
  readonly buttons?: ComponentChildren;
  /** It can be pinned. */
  readonly pins?: boolean;
  /** Where a tag can be taken out. */
  readonly takeOut?: ((tag: string) => void) | undefined;
}

/** The data of a card, and a key that changes with them. */
interface Shown {
  readonly key: readonly unknown[];
  readonly data: CardData;
  readonly shown: readonly TagLines[];
}

export function LineCard({ panel, label, shown: all, composed, marks, buttons, value }: Props) {
  const view = useView();
  const parts = all.slice(0, MAX_TAGS);
  const tags = parts.map(({ tag }) => tag);
  // The same object as long as the card shows the same. A kernel replaces the content of a saved page by other objects of the same tags.
  const key = [composed?.id, ...parts.flatMap(({ tag, data, lower, upper }) => [tag, data, lower, upper])];
  const last = useRef<Shown | null>(null);
  const cut = useSignal<CutCount | null>(null);
  if (last.current?.key.length !== key.length || key.some((one, i) => one !== last.current?.key[i])) {
    last.current = { key, data: joined(parts), shown: parts };
  }
  const { data, shown } = last.current;
  const scale = scaleOfAll(tags, view);
  // Differences may be negative: what has no logarithm has a symlog.
  const signed = shown.some((part) => isDifference(part.data, view));
  const isSymlog = scale.name === "symlog" || signed;
  const isScaled = drawnScale(shown, view).name !== "linear";
  const setScale = (name: ScaleName) => {
    for (const tag of tags) {
      setValueScale(view, [tag], name);
    }
  };
  const [tag = ""] = tags;
  const title = composed?.title ?? tag;
  const takeOut = tags.length > 1 ? composed?.takeOut : undefined;
  return (
    <ChartCard<readonly LinePoint[]>
      panel={panel}
      tag={tag}
      label={label}
      data={data}
      waits={shown.some((part) => waitsForSuperseded(part.data).value)}
      marks={
        <>
          <LineMarks shown={shown} more={all.length - tags.length} cut={cut}>
            {marks}
          </LineMarks>
          {value}
        </>
      }
      log={{
        on: isScaled,
        hint: isSymlog ? lineTexts().symlogHint : lineTexts().logHint,
        name: isSymlog ? lineTexts().symlog : uiTexts().log,
        toggle: () => setScale(isScaled ? "linear" : signed ? "symlog" : "log"),
      }}
      tools={(fit) => <CardAxes tags={tags} scale={scale} fit={fit} active={limitsOf(view, tags) !== undefined} />}
      fullControls={<Toolbar name={title} actions={chartActions} inWindow />}
      over={<CutOffer cut={cut} tags={tags} />}
      table={scalarsTable(panel)}
      buttons={composed?.buttons ?? buttons}
      source={(host, view) => scalarsSource(panel, title, shown, view, cut, host)}
      {...(composed === null
        ? {}
        : {
            tags: shown.flatMap((part) => [part.tag, ...(part.margins ?? [])]),
            title,
            only: composed.pins !== true,
            legend: (inWindow: boolean) => <Legend {...{ shown, takeOut, inWindow }} />,
          })}
    />
  );
}

/** The data of all these tags as one. */
export function joined(parts: readonly TagLines[]): CardData {
  const every = parts.flatMap(({ data, lower, upper }) => [data, lower, upper]).filter((one) => one !== undefined);
  const [only, ...others] = every;
  return only !== undefined && others.length === 0
    ? only
    : {
        get failures() {
          const reasons = new Map<string, Set<string>>();
          for (const [run, { reason }] of every.flatMap(({ failures }) => [...failures])) {
            reasons.set(run, (reasons.get(run) ?? new Set()).add(reason));
          }
          return new Map([...reasons].map(([run, all]) => [run, { reason: commonTexts().clauses([...all]) }]));
        },
        get byRun() {
          return new Map(every.flatMap(({ byRun }) => [...byRun]));
        },
      };
}

interface LegendProps {
  readonly shown: readonly TagLines[];
  readonly takeOut: ((tag: string) => void) | undefined;
  readonly inWindow: boolean;
}

function Legend({ shown, takeOut, inWindow }: LegendProps) {
  const view = useView();
  const theme = view.theme.value;
  const tags = shown.map(({ tag }) => tag);
  const short = shortTags(tags);
  // A card of a split is one of many, beside the list of runs, which tells their colors.
  const isSplit = isSplitCard(tags);
  const namesRuns = inWindow || !isSplit;
  const most = inWindow ? MAX_WINDOW_RUNS : MAX_RUNS;
  const names = tags.map((tag) => (isSplit ? null : shownName(view, tag)) ?? short(tag));
  // Over the whole window, the runs are in the row of the tags.
  const taken = names.reduce((sum, name) => sum + measureLabel(name) + AROUND_TAG_PX, 0);
  const byRun = new Map<string, unknown>(shown.flatMap(({ data }) => [...data.byRun]));
  const runs = view.channel.store.runs.value.filter((run) => byRun.has(run) && view.options.shows(run));
  const aggregated = useOptions(compareOptions).aggregate.value !== null && tagAlongX(view) === null;
  const groups = drawnGroups(
    shown.map(({ data }) => data),
    view,
  );
  const colors = aggregated
    ? groups.map(({ color }) => color)
    : runs.map((run) => view.options.colorOf.value(run, theme));
  // The dashes have the color of the one run, or of the aggregate of all.
  const only = colors.length === 1 ? colors[0] : undefined;
  return (
    <ul class="tbwidget-legend" aria-label={cardTexts().legend}>
      {shown.map(({ tag }, i) => {
        const { dash, colorOf } = styleOf(tags, i, theme);
        return (
          <li key={`${i} ${tag}`} data-tag-line={tag}>
            <svg width="22" height="6" viewBox="0 0 22 6" aria-hidden="true">
              <path
                d="M0 3h22"
                stroke-dasharray={dash.join(" ")}
                style={only === undefined ? {} : { stroke: colorOf(only) }}
              />
            </svg>
            <span title={tag}>
              <Elided text={names[i] as string} />
            </span>
            {takeOut !== undefined && (
              <button
                type="button"
                title={commonTexts().labeled(cardTexts().takeOut, tag)}
                data-action="card.take_out"
                onClick={() => takeOut(tag)}
              >
                <span aria-hidden="true">×</span>
              </button>
            )}
          </li>
        );
      })}
      {namesRuns && runs.length > 1 && !aggregated && (
        <RunsLegend byRun={byRun} most={most} inWindow={inWindow} taken={taken} />
      )}
      {(namesRuns ? groups : []).slice(0, most).map(({ text, color }) => (
        <li key={`group ${text}`}>
          <i style={{ background: color }} />
          <span title={text}>{text}</span>
        </li>
      ))}
    </ul>
  );
}
