// The card of an embedding: one run at one step, its stage and what stands around it.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { useItemCard } from "../../items/card";
import { beginWaiting, OwnStepButton, OwnStepSlider } from "../../items/playback";
import { useItem } from "../../items/source";
import { itemTexts } from "../../items/texts";
import { commonTexts } from "../../lib/commontexts";
import { type Cell, delimited } from "../../lib/delimited";
import { safeName } from "../../lib/filenames";
import { formatCount } from "../../lib/format";
import { isSameList } from "../../lib/sortrows";
import { listOf } from "../../lib/texts";
import { plainPointColor, type Theme } from "../../lib/tokens";
import { CardFrame } from "../../ui/card";
import { CloseButton } from "../../ui/dialog";
import { Expandable } from "../../ui/expandable";
import { FillButton } from "../../ui/fillbutton";
import type { CardProps } from "../../ui/groups";
import { setLastStep } from "../../ui/laststep";
import { Superseded } from "../../ui/marks";
import { Popover } from "../../ui/popover";
import { savableCards } from "../../ui/save/cards";
import { Item } from "../../ui/save/item";
import { PictureItems } from "../../ui/save/pictureitems";
import { saveTexts } from "../../ui/save/texts";
import { saveFile } from "../../ui/savefile";
import { StepControl } from "../../ui/stepcontrol";
import { cardTexts } from "../../ui/texts";
import { useOnScreen, useOptions, useView } from "../../ui/view";
import type { HeldItems } from "../../wire/items";
import {
  cellText,
  type EmbeddingRow,
  embeddingSprites,
  embeddingVectors,
  type Points,
  pointItems,
  spriteItems,
  type TagEmbeddings,
  vectorItems,
} from "./codec";
import { categoryColor, clusterColumn, colorColumn, groupsOf, labelColumn, pointColors } from "./coloring";
import { Columns, Legend } from "./columns";
import { ColumnChoices, Parameters, Progress, percent, Runs } from "./controls";
import { passing } from "./filters";
import { useNeighbors } from "./nearest";
import { projectorOptions } from "./options";
import { PointCard } from "./pointcard";
import { type Embedding, type Projection, shownComponents, useProjection } from "./projecting";
import { clustersOf, extentOf, layersOf, type Scene } from "./scene";
import { sheetOf } from "./sheet";
import { Side } from "./side";
import { Stage } from "./stage";
import { cardState, type Picked, viewState } from "./state";
import { projectorTexts } from "./texts";
import "../../ui/save/save.css";

/** The same kind for all steps of its cards. */
const KIND = "embeddings";

/** Selected points up to which each has a ring. */
const MAX_RINGS = 200;

/** Columns read out of a point. */
const MAX_SPOKEN = 4;

export function ProjectorCard({ tag, label, data }: CardProps<TagEmbeddings>) {
  const view = useView();
  const card = useItemCard(KIND, tag, data);
  const state = cardState(view, tag);
  const { element, runs, step, steps, ready } = card;
  const onScreen = useOnScreen(element) || state.isFull.value;
  const withRows = runs.filter(({ rows }) => rows.length > 0);
  const shown = withRows.find(({ run }) => run === state.run.value) ?? withRows[0];
  const isSaved = view.channel.store.savedAt.value !== null;
  // A narrow card has no room for the facts of the points after its name.
  const isWide = view.widthClass.value === "wide";
  const newest = shown?.rows.at(-1);
  // No newer one will arrive in a saved page.
  const row = (isSaved ? newest?.newer : null) ?? newest?.row;
  const item = useItem(pointItems, onScreen && shown && row ? { tag, run: shown.run, row } : null, { pushed: true });
  // The shown step stays until the next one has arrived.
  const last = useRef<{ readonly run: string; readonly row: EmbeddingRow; readonly points: Points } | null>(null);
  const unready = item.state === "held" ? item.value.waits : null;
  if (item.state === "held" && unready === null && shown && row) {
    last.current = { run: shown.run, row, points: item.value };
  }
  const isMissing = item.state === "broken" || (isSaved && item.state === "waits");
  const held = shown !== undefined && last.current?.run === shown.run && !isMissing ? last.current : null;
  const waits = !isSaved && shown !== undefined && (item.state === "waits" || unready !== null);
  useEffect(() => (waits && onScreen ? beginWaiting(view, KIND, tag) : undefined), [waits, onScreen, view, tag]);
  const status = item.state === "broken" ? "broken" : held === null ? "waits" : "shown";
  useEffect(() => {
    if (status !== "shown") {
      element.current?.setAttribute("data-state", status);
      element.current?.removeAttribute("data-points");
      setLastStep(element.current, status === "broken" ? (row?.step ?? null) : null);
    }
  }, [status, element, row]);
  const close = () => {
    state.isFull.value = false;
  };
  const body = (
    <>
      <div class="tbwidget-projector-bar">
        <Runs
          runs={withRows}
          shown={shown?.run ?? ""}
          choose={(run) => {
            state.run.value = run;
          }}
        />
        <OwnStepSlider tag={tag} steps={steps} option={step} ready={ready} />
        {held !== null && held.points.withoutPlace < held.points.count && (
          <ColumnChoices columns={held.points.columns} />
        )}
        {held !== null && !isWide && <Facts points={held.points} />}
      </div>
      {held === null ? (
        <p class="tbwidget-projector-message" role={item.state === "broken" ? "alert" : "status"}>
          {item.state === "broken"
            ? item.reason
            : shown === undefined
              ? projectorTexts().noRun
              : unready !== null
                ? unready
                : item.state === "waits" && item.share !== null
                  ? projectorTexts().waitsShare(percent(item.share))
                  : isSaved
                    ? projectorTexts().notSaved
                    : projectorTexts().waits}
        </p>
      ) : (
        <Body key={held.run} {...held} tag={tag} label={label} onScreen={onScreen} element={element} />
      )}
    </>
  );
  return (
    <CardFrame
      panel="projector"
      tag={tag}
      label={label}
      data={data}
      wide
      cardRef={element}
      active={state.isFull.value}
      waits={waits && held !== null}
      marks={
        <span class="tbwidget-marks">
          <Superseded series={runs.map((run) => run.held)} />
          {held !== null && isWide && <Facts points={held.points} />}
        </span>
      }
      buttons={
        <>
          <OwnStepButton steps={steps} option={step} />
          <FillButton
            label={cardTexts().full}
            fill={() => {
              state.isFull.value = true;
            }}
          />
        </>
      }
    >
      <Expandable label={tag} class="tbwidget-projector-body" expanded={state.isFull.value} leave={close}>
        {state.isFull.value && (
          <header class="tbwidget-card-header">
            <h4 title={tag}>{tag}</h4>
            {held !== null && isWide && (
              <span class="tbwidget-marks">
                <Facts points={held.points} />
              </span>
            )}
            <CloseButton close={close} />
          </header>
        )}
        {body}
        {state.isFull.value && <StepControl alone />}
      </Expandable>
    </CardFrame>
  );
}

/** The facts of the points, in one line. */
function Facts({ points }: { readonly points: Points }) {
  const { projector_method, projector_components, projector_dimensions } = useOptions(projectorOptions);
  const { count, dimensions, variance } = points;
  const shown = shownComponents(projector_components.value, projector_dimensions.value, variance.length);
  const shares = shown.map((one) => variance[one - 1] ?? 0);
  const parts = [
    projectorTexts().points(count, formatCount(count)),
    projectorTexts().dimensionsOf(dimensions, formatCount(dimensions)),
    ...(projector_method.value === "pca" && shares.some((share) => share > 0)
      ? [
          ...shown.map((one, i) =>
            projectorTexts().componentShare(projectorTexts().component(one), percent(shares[i] ?? 0)),
          ),
          projectorTexts().ofVariance(percent(shares.reduce((sum, share) => sum + share, 0))),
        ]
      : []),
  ];
  return (
    <span class="tbwidget-projector-facts" title={projectorTexts().ofVarianceHint}>
      {commonTexts().beside(parts)}
    </span>
  );
}

interface BodyProps {
  readonly run: string;
  readonly tag: string;
  readonly label: string;
  readonly row: EmbeddingRow;
  readonly points: Points;
  readonly onScreen: boolean;
  readonly element: { readonly current: HTMLElement | null };
}

/** The row of another kind at the same step. */
function rowAtStep(held: HeldItems<EmbeddingRow> | undefined, { step }: EmbeddingRow): EmbeddingRow | undefined {
  return held?.rows.findLast((row) => row.step === step);
}

function Body({ run, tag, label, row, points, onScreen, element }: BodyProps) {
  const view = useView();
  const { store } = view.channel;
  const options = useOptions(projectorOptions);
  const state = cardState(view, tag);
  const theme = view.theme.value;
  const vectorRow = rowAtStep(store.items(embeddingVectors).tag(tag)?.byRun.get(run), row);
  const spriteRow = rowAtStep(store.items(embeddingSprites).tag(tag)?.byRun.get(run), row);
  const wish = { pushed: true };
  const vectorItem = useItem(vectorItems, onScreen && vectorRow ? { tag, run, row: vectorRow } : null, wish);
  const spriteItem = useItem(spriteItems, onScreen && spriteRow ? { tag, run, row: spriteRow } : null, wish);
  const vectors = vectorItem.state === "held" && vectorItem.value.count === points.count ? vectorItem.value : null;
  const vectorsProblem =
    vectorItem.state === "broken"
      ? vectorItem.reason
      : vectors === null && store.savedAt.value !== null
        ? itemTexts().notSaved
        : null;
  const sprites = spriteItem.state === "held" ? spriteItem.value : null;
  const decoded = sprites === null ? null : sheetOf(sprites);
  const sheet = decoded === "waits" || decoded === "broken" ? null : decoded;

  const { columns, count } = points;
  const hasPlaces = points.withoutPlace < count;
  const hasImages = spriteRow !== undefined && decoded !== "broken";
  useEffect(() => {
    state.columns.value = columns;
    state.lacks.value = !hasPlaces
      ? ["stage", "search", "images"]
      : [...(columns.length > 0 ? [] : ["search" as const]), ...(hasImages ? [] : ["images" as const])];
  }, [state, columns, hasPlaces, hasImages]);
  const colored = colorColumn(columns, options.projector_color.value);
  const groups = useMemo(() => (colored === null ? null : groupsOf(colored)), [colored]);
  const labels = labelColumn(columns, options.projector_label.value);
  const named = clusterColumn(colored, labels);
  const embedding: Embedding = { run, tag, row, points, vectors, vectorsProblem, labels };
  const { projection, computation, problem } = useProjection(embedding, onScreen);

  const { selected, select } = useSelection(points);
  const neighbors = useNeighbors(embedding, selected.length === 1 ? (selected[0] ?? null) : null);
  const filters = state.filters.value;
  const filtered = useMemo(() => passing(columns, filters, count), [columns, filters, count]);
  const isolated = state.isolated.value;
  const among = useMemo(
    () => isolated && Uint8Array.from({ length: count }, (_, i) => (isolated.has(i) ? 1 : 0)),
    [isolated, count],
  );
  const found = state.found.value;
  const near = neighbors?.points;
  // Isolated points do not stand out from one another; a selection that is hidden leaves the others as they are.
  const standing = useMemo(() => {
    const shown = selected.filter((point) => filtered?.[point] !== 0 && isolated?.has(point) !== false);
    return isolated !== null && shown.length === isolated.size ? [] : shown;
  }, [selected, filtered, isolated]);
  const lit = useMemo(() => {
    if (standing.length > 0) {
      return new Set([...standing, ...(near ?? [])]);
    }
    return found !== null && found.mask.length === count ? { has: (point: number) => found.mask[point] === 1 } : null;
  }, [standing, near, found, count]);
  const layered = useMemo(
    () => layersOf(projection.planes, { passing: filtered, isolated, lit }),
    [projection.planes, filtered, isolated, lit],
  );
  const drawnOfSelection = selected.filter((point) => layered.layers[point] !== 0);
  const colorsIn = (other: Theme) => pointColors(groups, count, other, plainPointColor[other]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest of it is the same function
  const colors = useMemo(() => colorsIn(theme), [groups, count, theme]);
  const extent = useMemo(() => extentOf(projection.planes, among), [projection.planes, among]);
  const isOnePlace =
    projection.method === "pca" && count - points.withoutPlace > 1 && points.variance.every((share) => share === 0);
  const clusters = useMemo(
    // Where all points are in one place, the names would hide it.
    () => (isOnePlace ? [] : clustersOf(named && groupsOf(named), projection.planes, layered.layers)),
    [isOnePlace, named, projection.planes, layered.layers],
  );
  const scene = useMemo((): Scene => {
    const [point] = standing;
    return {
      ...{ isLit: lit !== null, rings: standing.length <= MAX_RINGS ? standing : [] },
      key: projection.key,
      ...{ planes: projection.planes, axes: hasPlaces ? projection.axes : [], extent, colors, clusters, ...layered },
      // A cluster has the common name of its points.
      labelOf: labels === null || labels === named ? null : (one) => cellText(labels, one),
      spokes: near === undefined || point === undefined ? null : { point, neighbors: near },
    };
  }, [projection, hasPlaces, extent, colors, clusters, layered, labels, named, lit, near, standing]);

  const pointColor = (point: number) => {
    const packed = colors[point] as number;
    const rgb = `rgb(${packed & 255} ${(packed >> 8) & 255} ${(packed >> 16) & 255})`;
    return colored === null ? null : { column: colored, color: rgb };
  };
  const shownText = projectorTexts().drawn(formatCount(layered.drawn), count, formatCount(count));
  const unplaced = points.withoutPlace > 0 && hasPlaces;
  const sheetProblem =
    spriteItem.state === "broken" ? spriteItem.reason : decoded === "broken" ? projectorTexts().damaged : null;
  const noted = [
    projection.note,
    // The facts of the card have the count of all.
    hasPlaces && (projection.note === "" || layered.drawn < count) && shownText,
    unplaced && projectorTexts().noPlaces(points.withoutPlace, formatCount(points.withoutPlace)),
  ].filter((one) => typeof one === "string" && one !== "") as string[];
  const note = commonTexts().beside(noted);
  const { columnsLeftOut } = points;
  const remarks = [
    ...points.notes,
    ...(columnsLeftOut > 0 ? [projectorTexts().columnsLeftOut(columnsLeftOut, formatCount(columnsLeftOut))] : []),
    ...(sheetProblem === null ? [] : [projectorTexts().spritesBroken(sheetProblem)]),
  ];
  const running = computation?.state.state === "running";
  useEffect(() => {
    // The stage has nothing new to draw when a computation begins or ends without a result.
    if (element.current?.hasAttribute("data-points")) {
      element.current.setAttribute("data-state", running ? "computing" : "shown");
    }
  }, [running, element]);
  return (
    <>
      {remarks.map((text) => (
        <p key={text} class="tbwidget-hint" data-remark="">
          {text}
        </p>
      ))}
      <div class="tbwidget-projector-area" data-empty={hasPlaces ? undefined : ""}>
        <Stage
          {...{ tag, scene, sheet, state, selected, select, colorsIn, note, hasPlaces }}
          title={label}
          label={projectorTexts().stageLabel(tag, shownText, projectorTexts().methods[projection.method])}
          legendIn={(other) => legendOf(groups, other)}
          tooltip={(point) => ({
            content: <PointCard {...{ points, point, labels, sheet }} colored={pointColor(point)} />,
            spoken: spokenOf(points, labels, point),
          })}
          drawn={() => setHooks(element.current, row, points, projection, layered.drawn, running)}
        >
          <Progress computation={computation} problem={problem} />
          {count === 0 && <p class="tbwidget-projector-message">{projectorTexts().noPoints}</p>}
          {count > 0 && !hasPlaces && (
            <p class="tbwidget-projector-message">{projectorTexts().noPlaces(count, formatCount(count))}</p>
          )}
          {isOnePlace && <p class="tbwidget-projector-hint">{projectorTexts().noVariance}</p>}
        </Stage>
        {hasPlaces && (
          <aside class="tbwidget-projector-side" aria-label={projectorTexts().side}>
            <Side
              {...{ embedding, state, selected, neighbors, sheet, select }}
              hidden={selected.length - drawnOfSelection.length}
              colored={pointColor}
              save={() => savePoints(tag, points, projection, selected)}
            />
            {columns.length > 0 && <Columns {...{ columns, count, among, state }} selected={drawnOfSelection} />}
          </aside>
        )}
      </div>
      {count > 0 && (
        <footer class="tbwidget-projector-foot">
          {hasPlaces && groups !== null && <Legend groups={groups} layers={layered.layers} state={state} />}
          {hasPlaces && <Parameters {...{ points, labels }} />}
          <SavePoints {...{ tag, points, projection }} />
        </footer>
      )}
    </>
  );
}

function legendOf(groups: ReturnType<typeof groupsOf> | null, theme: Theme) {
  return groups?.sort !== "categories"
    ? []
    : groups.categories.map(({ text }, group) => ({
        text: text ?? projectorTexts().other(groups.others, formatCount(groups.others)),
        color: categoryColor(groups, group, theme),
      }));
}

function spokenOf({ columns }: Points, labels: Embedding["labels"], point: number): string {
  const values = columns
    .slice(0, MAX_SPOKEN)
    .map((column) => projectorTexts().valueOf(column.name, cellText(column, point)));
  const name = labels === null ? "" : cellText(labels, point);
  return projectorTexts().describe(name === "" ? projectorTexts().pointAt(formatCount(point)) : name, listOf(values));
}

/** Sets the card's attributes to the drawing's numbers. */
function setHooks(
  card: HTMLElement | null,
  { step }: EmbeddingRow,
  { dimensions }: Points,
  { method, variance }: Projection,
  drawn: number,
  computing: boolean,
): void {
  setLastStep(card, step);
  const attributes = {
    "data-points": String(drawn),
    "data-dimensions": String(dimensions),
    "data-projection": method,
    "data-variance": variance === null ? null : JSON.stringify(variance),
    "data-state": computing ? "computing" : "shown",
  };
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) {
      card?.removeAttribute(name);
    } else {
      card?.setAttribute(name, value);
    }
  }
}

// The selected points of a card. The option holds one list for the whole board, so it is applied only where the rows agree.

/** Names the rows of an embedding: embeddings of the same points at other steps, in other runs or layers have the same. */
export function rowsOf({ count, columns }: Pick<Points, "count" | "columns">): string {
  return JSON.stringify([count, columns.map(({ name }) => name)]);
}

/** The points of a card with these rows. A list that no card has set comes from Python, and holds for all of them. */
export function selectedIn(
  rows: string,
  option: readonly number[],
  picked: Picked | null,
  own: readonly number[],
): readonly number[] {
  const isOfOthers = picked !== null && picked.rows !== rows && isSameList(picked.points, option);
  return isOfOthers ? own : option;
}

function useSelection(points: Points) {
  const { picked, pickedOf } = viewState(useView());
  const { projector_selected } = useOptions(projectorOptions);
  const rows = useMemo(() => rowsOf(points), [points]);
  const own = pickedOf.of("projector", rows);
  const chosen = selectedIn(rows, projector_selected.value, picked.value, own.value);
  const selected = useMemo(() => chosen.filter((point) => point < points.count), [chosen, points]);
  const select = (next: readonly number[]) => {
    own.value = next;
    picked.value = { rows, points: next };
    projector_selected.set(next);
  };
  return { selected, select };
}

// The menu that saves the points of a card as CSV, or a picture of it.

/** Rows that become text at once. */
const CHUNK_ROWS = 5000;

/** Saves points: their rows, places and metadata. The page goes on between the chunks. */
async function savePoints(
  tag: string,
  points: Points,
  projection: Projection,
  chosen: readonly number[] | null,
): Promise<void> {
  const { columns } = points;
  const rows = chosen ?? Array.from({ length: points.count }, (_, i) => i);
  const head: Cell[] = [projectorTexts().index, ...projection.axes, ...columns.map(({ name }) => name)];
  const cells = (point: number): Cell[] => [
    point,
    ...projection.planes.slice(0, projection.axes.length).map((plane) => numberOrEmpty(plane[point] as number)),
    ...columns.map((column) =>
      column.sort === "text"
        ? (column.values[column.codes[point] as number] ?? "")
        : numberOrEmpty(column.numbers[point] as number),
    ),
  ];
  const parts = [delimited([head], ",")];
  for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
    await new Promise((resolve) => setTimeout(resolve));
    parts.push(delimited(rows.slice(from, from + CHUNK_ROWS).map(cells), ","));
  }
  saveFile(new Blob(parts, { type: "text/csv" }), `${["projector", safeName(tag)].filter(Boolean).join("_")}.csv`);
}

function numberOrEmpty(number: number): Cell {
  return Number.isNaN(number) ? "" : number;
}

interface Props {
  readonly tag: string;
  readonly points: Points;
  readonly projection: Projection;
}

function SavePoints({ tag, points, projection }: Props) {
  const view = useView();
  const message = useSignal<string | null>(null);
  return (
    <span class="tbwidget-save-menu">
      <Popover label={projectorTexts().save} title={projectorTexts().saveHint}>
        {(close) => (
          <div data-lm-suppress-shortcuts="true">
            <h4>{projectorTexts().data}</h4>
            <p>{projectorTexts().savePoints(points.count, formatCount(points.count))}</p>
            <ul>
              <Item
                name={saveTexts().formats.csv}
                action="save.csv"
                chosen={() => {
                  void savePoints(tag, points, projection, null);
                  close();
                }}
              />
            </ul>
            <PictureItems
              stem={["projector", safeName(tag)].filter(Boolean).join("_")}
              heading={tag}
              cards={() => savableCards(view).filter(({ tags }) => tags.includes(tag))}
              said={(said) => {
                message.value = said;
              }}
            />
            {message.value !== null && (
              <p class="tbwidget-save-status" role="status">
                {message.value}
              </p>
            )}
          </div>
        )}
      </Popover>
    </span>
  );
}
