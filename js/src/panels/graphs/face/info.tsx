// The info card: all that is known of what is selected. What the browser does not have, it waits for by itself.

import { useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { formatBytes, formatCount } from "../../../lib/format";
import { copyText } from "../../../ui/clipboard";
import { type About, aboutEntry, aboutRoot } from "../about";
import { formatMicroseconds } from "../coloring";
import { boxAt, isComposed } from "../places";
import type { GraphState } from "../state";
import { graphTexts } from "../texts";
import { actionsOn } from "./actions";
import { Attributes } from "./attributes";
import { Listed, PathName } from "./names";

/** Milliseconds for which it is said that a name was copied. */
const SAID = 1500;

export function InfoCard({ state }: { readonly state: GraphState }) {
  const about = useSignal<About | null>(null);
  useSignalEffect(() => {
    const now = state.laidOut.value;
    const path = state.chosen.graph_selected.value;
    if (now === null || path === null) {
      about.value = null;
      return;
    }
    // Of a large scope it takes as long as to draw what was clicked on, which comes first.
    const timer = setTimeout(() => {
      about.value =
        now.structure !== null && isComposed(now.view)
          ? aboutEntry(now.structure, now.view, path)
          : aboutRoot(now.view, path);
    });
    return () => clearTimeout(timer);
  });
  const known = about.value;
  const isFollowed = useRef(false);
  return known !== null && <Card key={known.path} state={state} about={known} isFollowed={isFollowed} />;
}

interface CardProps {
  readonly state: GraphState;
  readonly about: About;
  /** A name on the card before was followed here. */
  readonly isFollowed: { current: boolean };
}

function Card({ state, about, isFollowed }: CardProps) {
  const { path, label, kind } = about;
  const go = (entry: number) => {
    isFollowed.current = true;
    state.goTo(entry);
  };
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    // The name that had the focus is gone, and the keys with it: Escape is to close this card, too.
    if (isFollowed.current && document.activeElement === document.body) {
      card.current?.focus({ preventScroll: true });
    }
    isFollowed.current = false;
  }, [isFollowed]);
  useEffect(() => {
    // When it is there, and whenever it grows.
    const sizes = new ResizeObserver(() => state.canvas.peek()?.uncover());
    if (card.current !== null) {
      sizes.observe(card.current);
    }
    return () => sizes.disconnect();
  }, [state]);
  return (
    <aside ref={card} class="tbwidget-graph-info" aria-label={graphTexts().info} data-selected={path} tabIndex={-1}>
      <header>
        <span class="tbwidget-quiet">{graphTexts().kinds[kind]}</span>
        <CopyName name={about.name} />
        <button
          type="button"
          title={graphTexts().close}
          aria-label={graphTexts().close}
          onClick={() => state.select(null)}
        >
          ×
        </button>
      </header>
      <h4>{label}</h4>
      {path !== label && (
        <p class="tbwidget-graph-path">
          <PathName path={path} />
        </p>
      )}
      <Actions state={state} path={path} />
      <dl>
        {kind === "missing" && <Row name="">{graphTexts().missingHint}</Row>}
        {about.op !== "" && <Row name={graphTexts().op}>{about.op}</Row>}
        {about.nodes > 1 && (
          <Row name={graphTexts().inside}>
            {graphTexts().nodes(about.nodes, formatCount(about.nodes))}
            {about.alike > 0 && (
              <span class="tbwidget-quiet"> · {graphTexts().alike(about.alike, formatCount(about.alike))}</span>
            )}
          </Row>
        )}
        {about.copies > 1 && <Row name="">{graphTexts().copies(formatCount(about.copies))}</Row>}
        {about.shapes.length > 0 && <Row name={graphTexts().outputShapes}>{about.shapes.join(", ")}</Row>}
        {about.device !== "" && <Row name={graphTexts().device}>{about.device}</Row>}
        {about.cluster !== "" && <Row name={graphTexts().cluster}>{about.cluster}</Row>}
        <Costs state={state} about={about} />
      </dl>
      <Listed title={graphTexts().oddCount} partners={about.odd} go={go} open />
      <Listed title={graphTexts().inputs} partners={about.inputs} go={go} open />
      <Listed title={graphTexts().outputs} partners={about.outputs} go={go} open />
      <Listed title={graphTexts().controlInputs} partners={about.controlInputs} go={go} />
      <Listed title={graphTexts().controlOutputs} partners={about.controlOutputs} go={go} />
      <Listed title={graphTexts().annotations} partners={about.annotations} go={go} />
      {about.isNode && <Attributes state={state} about={about} />}
      <Counts title={graphTexts().ops} counts={about.ops} />
      <Counts title={graphTexts().devicesUsed} counts={about.devices} />
    </aside>
  );
}

function Row({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function CopyName({ name }: { readonly name: string }) {
  const copied = useSignal(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <button
      type="button"
      title={graphTexts().copyName}
      onClick={async ({ currentTarget }) => {
        copied.value = await copyText(name, currentTarget.parentElement ?? currentTarget);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => {
          copied.value = false;
        }, SAID);
      }}
    >
      {copied.value ? graphTexts().copied : graphTexts().copyName}
    </button>
  );
}

/** What can be done with it, where it is on the screen. */
function Actions({ state, path }: { readonly state: GraphState; readonly path: string }) {
  const now = state.laidOut.value;
  const box = now === null ? -1 : boxAt(now.view, path);
  return (
    now !== null &&
    box >= 0 && (
      <p class="tbwidget-graph-actions">
        {actionsOn(state, now, box).map(({ name, hint, do: act }) => (
          <button key={name} type="button" title={hint} onClick={act}>
            {name}
          </button>
        ))}
      </p>
    )
  );
}

/** Time and memory of the recorded step, where these are on the screen. */
function Costs({ state, about }: { readonly state: GraphState; readonly about: About }) {
  const measured = state.statistics.value.value;
  if (measured === null) {
    return null;
  }
  const [time, memory] = [measured.time, measured.memory].map((column) =>
    about.nodesInside().reduce<number>((sum, node) => {
      const one = column[node] as number;
      return Number.isNaN(one) ? sum : (Number.isNaN(sum) ? 0 : sum) + one;
    }, Number.NaN),
  ) as [number, number];
  return Number.isNaN(time) && Number.isNaN(memory) ? (
    <Row name={graphTexts().time}>{graphTexts().notRun}</Row>
  ) : (
    <>
      {!Number.isNaN(time) && <Row name={graphTexts().time}>{formatMicroseconds(time)}</Row>}
      {!Number.isNaN(memory) && <Row name={graphTexts().memory}>{formatBytes(memory)}</Row>}
    </>
  );
}

/** Entries of a list of counts; the others are counted together. */
const MOST_COUNTS = 12;

function Counts({
  title,
  counts,
}: {
  readonly title: string;
  readonly counts: readonly (readonly [string, number])[];
}) {
  return (
    counts.length > 0 && (
      <details open>
        <summary>{title}</summary>
        <ul class="tbwidget-graph-counts">
          {counts.slice(0, MOST_COUNTS).map(([name, count]) => (
            <li key={name}>
              <bdi>{name || graphTexts().noneGiven}</bdi>
              <span class="tbwidget-quiet">{formatCount(count)}</span>
            </li>
          ))}
          {counts.length > MOST_COUNTS && (
            <li class="tbwidget-quiet">{graphTexts().andMore(formatCount(counts.length - MOST_COUNTS))}</li>
          )}
        </ul>
      </details>
    )
  );
}
