// A graph that is drawn: what it shows comes in, what the user does to it goes out.

import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { commonTexts } from "../../../lib/commontexts";
import { formatCount } from "../../../lib/format";
import { listOf } from "../../../lib/texts";
import { useView } from "../../../ui/view";
import { MarkKind } from "../layout/types";
import { BoxKind, isOpenable, type View } from "../model/view";
import { boxAt } from "../places";
import type { Covered } from "./camera";
import { edgeStyle } from "./edgestyles";
import type { Hit } from "./hit";
import { carried } from "./routelabels";
import type { Prepared, Scene } from "./scene";
import { GraphStage, type StageEvents } from "./stage";
import { graphDrawingTexts } from "./texts";
import "./draw.css";

/** Commands that the surrounding code can give to a graph. */
export type GraphController = Pick<GraphStage, "fit" | "zoomBy" | "center" | "uncover" | "focus" | "svg" | "png">;

export interface GraphCanvasProps {
  readonly scene: Scene;
  /** Name of the graph for assistive technology. */
  readonly label: string;
  /** Path of a box; null for none. */
  readonly selected: string | null;
  readonly onSelect: (path: string | null) => void;
  /** A node that is drawn as a mark beside a box, by its number. */
  readonly onSelectNode: (node: number) => void;
  readonly onToggle: (path: string) => void;
  /** A menu is asked for about a box, or about none, at a place in the window in CSS pixels. */
  readonly onMenu: (path: string | null, left: number, top: number) => void;
  readonly onSearch: () => void;
  readonly covered: () => Covered;
  /** Called with the controller when there is one, and with null at the end. */
  readonly controller?: (controller: GraphController | null) => void;
}

export function GraphCanvas(props: GraphCanvasProps) {
  const view = useView();
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<GraphStage | null>(null);
  // Calls go to the newest callbacks.
  const current = useRef(props);
  current.current = props;
  const { label } = props;
  useEffect(() => {
    if (host.current === null) {
      return;
    }
    const events: StageEvents = {
      selected: (path) => current.current.onSelect(path),
      nodeSelected: (node) => current.current.onSelectNode(node),
      toggled: (path) => current.current.onToggle(path),
      menu: (path, left, top) => current.current.onMenu(path, left, top),
      search: () => current.current.onSearch(),
      covered: () => current.current.covered(),
      hovered: ({ scene, prepared }, hit, left, top) => {
        const content = tooltipOf(scene, prepared, hit, current.current.selected);
        view.tooltip.value = content === null ? null : { left, top, content, spoken: "" };
      },
    };
    const made = new GraphStage(host.current, label, view.frames, view.theme.peek(), events);
    stage.current = made;
    made.show(current.current.scene, current.current.selected);
    current.current.controller?.(made);
    return () => {
      stage.current = null;
      view.tooltip.value = null;
      current.current.controller?.(null);
      made.end();
    };
  }, [view, label]);
  const announcement = useSignal("");
  const last = useRef(props.scene.view);
  useEffect(() => stage.current?.show(props.scene, props.selected), [props.scene, props.selected]);
  useEffect(() => {
    // The box below the pointer may be selected now.
    view.tooltip.value = null;
    const { view: boxes } = current.current.scene;
    const box = props.selected === null ? -1 : boxAt(boxes, props.selected);
    // The keyboard's focus on a box says it already.
    if (box >= 0 && stage.current?.focused !== props.selected) {
      announcement.value = graphDrawingTexts().selected(boxes.label[box] as string);
    }
  }, [props.selected, announcement, view]);
  useEffect(() => {
    if (last.current !== props.scene.view) {
      announcement.value = changeText(last.current, props.scene.view) || announcement.peek();
      last.current = props.scene.view;
    }
  }, [props.scene.view, announcement]);
  useSignalEffect(() => {
    const theme = view.theme.value;
    // The page's own colors change with its theme, a moment later.
    const frame = requestAnimationFrame(() => stage.current?.recolor(theme));
    return () => cancelAnimationFrame(frame);
  });
  return (
    <>
      <div ref={host} class="tbwidget-graph-canvas" />
      <p class="tbwidget-spoken" aria-live="polite">
        {announcement}
      </p>
    </>
  );
}

// Announcements for screen readers when scopes open or close.

type Boxes = Pick<View, "count" | "path" | "label" | "parent" | "open">;

/** Empty where nothing was opened or closed. */
export function changeText(before: Boxes, after: Boxes): string {
  const opened = newlyOpen(before, after);
  const closed = newlyOpen(after, before);
  const [box, was] = [opened[0], closed[0]];
  if (opened.length + closed.length !== 1) {
    return before.count === after.count ? "" : graphDrawingTexts().boxes(after.count, formatCount(after.count));
  }
  if (box === undefined) {
    return graphDrawingTexts().closed(before.label[was as number] as string);
  }
  const inside = after.parent.reduce((sum, around) => sum + Number(around === box), 0);
  return graphDrawingTexts().opened(after.label[box] as string, graphDrawingTexts().boxes(inside, formatCount(inside)));
}

/** Boxes that are open and were there before, closed. */
function newlyOpen(before: Boxes, after: Boxes): readonly number[] {
  const was = openOf(before);
  const paths = new Set(was.map((box) => before.path[box]));
  return openOf(after).filter((box) => {
    const around = after.parent[box] as number;
    return !paths.has(after.path[box]) && (around < 0 || paths.has(after.path[around]));
  });
}

function openOf({ count, open }: Boxes): readonly number[] {
  const found: number[] = [];
  for (let box = 0; box < count; box++) {
    if (open[box]) {
      found.push(box);
    }
  }
  return found;
}

// The tooltip of a graph: full names, kinds, and the tensors of edges.

/** Names of siblings that are listed. */
const MAX_NAMES = 5;
/** Characters of a name that are shown. */
const MAX_CHARACTERS = 400;

/** Null where there is nothing to say; of the selected box, the info card says it. */
function tooltipOf(scene: Scene, prepared: Prepared, hit: Hit, selected: string | null) {
  if (hit.mark >= 0) {
    return <Mark scene={scene} mark={hit.mark} />;
  }
  if (hit.route >= 0) {
    return <Route scene={scene} prepared={prepared} route={hit.route} />;
  }
  const isTold = hit.box < 0 || hit.isBody || scene.view.path[hit.box] === selected;
  return isTold ? null : <Box scene={scene} prepared={prepared} box={hit.box} />;
}

const cut = (name: string) => (name.length > MAX_CHARACTERS ? `${name.slice(0, MAX_CHARACTERS)}…` : name);

function Box({ scene, prepared, box }: { scene: Scene; prepared: Prepared; box: number }) {
  const { view, note } = scene;
  const kind = view.kind[box] as number;
  const copies = view.copies[box] as number;
  const odd = view.odd[box] ?? [];
  const isUnordered = view.unordered[box] === 1;
  const shapes = shapesOut(scene, prepared, box);
  const name = kind === BoxKind.NODE ? (view.op[box] ?? "") : (graphDrawingTexts().boxKinds[kind] ?? "");
  const nodes = view.nodes[box] as number;
  const what = listOf([
    copies > 1 ? graphDrawingTexts().stack(name, formatCount(copies)) : name,
    ...(isUnordered ? [graphDrawingTexts().unordered] : []),
    ...(isOpenable(view, box) ? [graphDrawingTexts().nodes(nodes, formatCount(nodes))] : []),
  ]);
  return (
    <div class="tbwidget-graph-tip">
      <b>{cut(view.path[box] as string)}</b>
      <p>{kind === BoxKind.MISSING ? commonTexts().labeled(what, graphDrawingTexts().missingHint) : what}</p>
      {shapes.length > 0 && <p>{commonTexts().labeled(graphDrawingTexts().outputs, listOf(shapes))}</p>}
      {odd.length > 0 && (
        <p>
          {graphDrawingTexts().oddMembers(
            listOf([...odd.slice(0, MAX_NAMES), ...(odd.length > MAX_NAMES ? ["…"] : [])]),
          )}
        </p>
      )}
      {note[box] !== "" && <p>{note[box]}</p>}
    </div>
  );
}

/** Distinct shapes of what leaves a box. */
function shapesOut({ view }: Scene, prepared: Prepared, box: number): string[] {
  const { source, target, shape } = view.edges;
  const shapes = new Set<string>();
  for (const bundle of prepared.bundlesOf(box)) {
    if (source[bundle] === box && target[bundle] !== box && shape[bundle] !== "" && shapes.size < MAX_NAMES) {
      shapes.add(shape[bundle] as string);
    }
  }
  return [...shapes];
}

function Mark({ scene, mark }: { scene: Scene; mark: number }) {
  const { kind, label, about, control } = scene.input.marks;
  const partner = kind[mark] === MarkKind.PARTNER ? scene.view.path[about[mark] as number] : undefined;
  return (
    <div class="tbwidget-graph-tip">
      <b>{cut(partner ?? (label[mark] as string))}</b>
      <p>
        {listOf([
          graphDrawingTexts().marks[kind[mark] as number] ?? "",
          ...(control[mark] === 1 ? [graphDrawingTexts().controlEdge] : []),
        ])}
      </p>
    </div>
  );
}

function Route({ scene, prepared, route }: { scene: Scene; prepared: Prepared; route: number }) {
  const { view, layout } = scene;
  const { bundleStart, bundles } = layout.routes;
  const [from, to] = [bundleStart[route] as number, bundleStart[route + 1] as number];
  const all = bundles.subarray(from, Math.min(to, from + MAX_NAMES));
  const text = edgeStyle(prepared.routeKind, route).hasTensors
    ? carried(scene, route)
    : graphDrawingTexts().controlEdge;
  return (
    <div class="tbwidget-graph-tip">
      {[...all].map((bundle) => (
        <p key={bundle}>
          {cut(view.path[view.edges.source[bundle] as number] as string)} →{" "}
          {cut(view.path[view.edges.target[bundle] as number] as string)}
        </p>
      ))}
      {to - from > MAX_NAMES && <p>…</p>}
      {text !== "" && <b>{text}</b>}
    </div>
  );
}
