// The tooltip of a graph: full names, kinds, and the tensors of edges.

import { commonTexts } from "../../../lib/commontexts";
import { formatCount } from "../../../lib/format";
import { listOf } from "../../../lib/texts";
import { MarkKind } from "../layout/types";
import { BoxKind, isOpenable } from "../model/view";
import { edgeStyle } from "./edgestyles";
import type { Hit } from "./hit";
import { carried } from "./routelabels";
import type { Prepared, Scene } from "./scene";
import { graphDrawingTexts } from "./texts";

/** Names of siblings that are listed. */
const MAX_NAMES = 5;
/** Characters of a name that are shown. */
const MAX_CHARACTERS = 400;

/** Null where there is nothing to say. */
export function tooltipOf(scene: Scene, prepared: Prepared, hit: Hit) {
  if (hit.mark >= 0) {
    return <Mark scene={scene} mark={hit.mark} />;
  }
  if (hit.route >= 0) {
    return <Route scene={scene} prepared={prepared} route={hit.route} />;
  }
  return hit.box >= 0 && !hit.isBody ? <Box scene={scene} prepared={prepared} box={hit.box} /> : null;
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
