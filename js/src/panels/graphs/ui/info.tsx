// The info card about the selection. Parts that the browser lacks arrive later by themselves.

import { useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { formatBytes, formatCount } from "../../../lib/format";
import { listOf } from "../../../lib/texts";
import { latestRequest } from "../../../ui/latestrequest";
import { copyText } from "../../../ui/savefile";
import { uiTexts } from "../../../ui/texts";
import { useView } from "../../../ui/view";
import { type About, aboutEntry, aboutRoot } from "../about";
import { formatMicroseconds } from "../coloring";
import { boxAt, isComposed } from "../places";
import type { GraphState } from "../state";
import { graphTexts } from "../texts";
import { actionsOn } from "./actions";
import { Listed, PathName } from "./names";

/** How long the button says that a name was copied. */
const SAID_MS = 1500;

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
        <button type="button" title={graphTexts().close} onClick={() => state.select(null)}>
          <span aria-hidden="true">×</span>
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
        {about.shapes.length > 0 && <Row name={graphTexts().outputShapes}>{listOf(about.shapes)}</Row>}
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
        }, SAID_MS);
      }}
    >
      {copied.value ? graphTexts().copied : graphTexts().copyName}
    </button>
  );
}

/** Actions, for a box on the screen. */
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
const MAX_COUNTS = 12;

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
          {counts.slice(0, MAX_COUNTS).map(([name, count]) => (
            <li key={name}>
              <bdi>{name || graphTexts().noneGiven}</bdi>
              <span class="tbwidget-quiet">{formatCount(count)}</span>
            </li>
          ))}
          {counts.length > MAX_COUNTS && (
            <li class="tbwidget-quiet">{graphTexts().andMore(formatCount(counts.length - MAX_COUNTS))}</li>
          )}
        </ul>
      </details>
    )
  );
}

// The kernel's answer about a node: its attributes, and the functions that it calls.

interface Details {
  readonly attributes: readonly (readonly [key: string, text: string, charactersLeftOut: number])[];
  readonly functions: readonly string[];
}

/** Turns every answer into texts. */
function detailsOf(value: unknown): Details {
  const { attributes, functions } = (value ?? {}) as { attributes?: unknown; functions?: unknown };
  const pairs = Array.isArray(attributes) ? attributes.filter(Array.isArray) : [];
  return {
    attributes: pairs.map(([key, text, more]: unknown[]) => [String(key), String(text ?? ""), Number(more)] as const),
    functions: Array.isArray(functions) ? functions.map(String) : [],
  };
}

export function Attributes({ state, about }: { readonly state: GraphState; readonly about: About }) {
  const { requests } = useView().channel;
  const asked = useMemo(() => latestRequest<Details>(requests), [requests]);
  const graph = state.graph.value;
  const body = state.body.value;
  const structure = state.structure.value;
  const { path } = about;
  useEffect(() => {
    if (graph !== null && structure !== null) {
      const args = { run: graph.run, tag: graph.name, node: path, ...(body === null ? {} : { function: body }) };
      asked.ask("graphs.node", args, ({ value }) => detailsOf(value));
    }
    return () => asked.cancel();
  }, [asked, graph, body, path, structure]);
  const details = asked.value.value;
  const reason = asked.reason.value;
  return (
    <details open>
      <summary>{graphTexts().attributes}</summary>
      {asked.waits.value && (
        <p class="tbwidget-quiet" role="status" title={uiTexts().waitsForKernelHint}>
          {uiTexts().waitsForKernel}
        </p>
      )}
      {reason !== null && <p class="tbwidget-quiet">{reason}</p>}
      {details !== null && details.attributes.length === 0 && <p class="tbwidget-quiet">{graphTexts().noAttributes}</p>}
      <dl>
        {details?.attributes.map(([key, text, more]) => (
          <div key={key}>
            <dt title={key}>{key}</dt>
            <dd>
              {text}
              {more > 0 && graphTexts().moreCharacters(formatCount(more))}
            </dd>
          </div>
        ))}
      </dl>
      {details !== null && details.functions.length > 0 && (
        <>
          <h5>{graphTexts().functionsCalled}</h5>
          <ul>
            {details.functions.map((name) => (
              <li key={name}>
                <button
                  type="button"
                  class="tbwidget-link"
                  onClick={() => graph !== null && state.showGraph(graph.run, graph.name, name)}
                >
                  {graphTexts().functionName(name)}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}
