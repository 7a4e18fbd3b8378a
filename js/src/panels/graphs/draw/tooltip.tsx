// What is shown beside the pointer on a graph: names in full, what they are, what lines carry.

import { formatCount } from "../../../lib/format";
import { MarkKind } from "../layout/types";
import { BoxKind, isOpenable } from "../model/view";
import type { Hit } from "./hit";
import { carried } from "./linelabels";
import { LineKind, type Prepared } from "./prepared";
import type { Scene } from "./scene";
import { graphDrawingTexts } from "./texts";

/** Names of siblings that are listed. */
const MOST_NAMES = 5;
/** Characters of a name that are shown. */
const MOST_CHARACTERS = 400;

/** Null where there is nothing to say. */
export function tooltipOf(scene: Scene, prepared: Prepared, hit: Hit) {
  if (hit.mark >= 0) {
    return <Mark scene={scene} mark={hit.mark} />;
  }
  if (hit.line >= 0) {
    return <Line scene={scene} prepared={prepared} line={hit.line} />;
  }
  return hit.box >= 0 && !hit.isBody ? <Box scene={scene} prepared={prepared} box={hit.box} /> : null;
}

const cut = (name: string) => (name.length > MOST_CHARACTERS ? `${name.slice(0, MOST_CHARACTERS)}…` : name);

function Box({ scene, prepared, box }: { scene: Scene; prepared: Prepared; box: number }) {
  const { view, note } = scene;
  const kind = view.kind[box] as number;
  const copies = view.copies[box] as number;
  const odd = view.odd[box] ?? [];
  const isUnordered = view.unordered[box] === 1;
  const shapes = shapesOut(scene, prepared, box);
  return (
    <div class="tbwidget-graph-tip">
      <b>{cut(view.path[box] as string)}</b>
      <p>
        {kind === BoxKind.NODE ? view.op[box] : graphDrawingTexts().boxKinds[kind]}
        {copies > 1 && ` ${graphDrawingTexts().copies(formatCount(copies))}`}
        {isUnordered && `, ${graphDrawingTexts().unordered}`}
        {isOpenable(view, box) &&
          `, ${graphDrawingTexts().nodes(view.nodes[box] as number, formatCount(view.nodes[box] as number))}`}
        {kind === BoxKind.MISSING && `: ${graphDrawingTexts().missingHint}`}
      </p>
      {shapes.length > 0 && (
        <p>
          {graphDrawingTexts().outputs}: {shapes.join(", ")}
        </p>
      )}
      {odd.length > 0 && (
        <p>
          {graphDrawingTexts().oddMembers(odd.slice(0, MOST_NAMES).join(", ") + (odd.length > MOST_NAMES ? " …" : ""))}
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
  for (const group of prepared.groupsOf(box)) {
    if (source[group] === box && target[group] !== box && shape[group] !== "" && shapes.size < MOST_NAMES) {
      shapes.add(shape[group] as string);
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
        {graphDrawingTexts().marks[kind[mark] as number]}
        {control[mark] === 1 && `, ${graphDrawingTexts().controlEdge}`}
      </p>
    </div>
  );
}

function Line({ scene, prepared, line }: { scene: Scene; prepared: Prepared; line: number }) {
  const { view, layout } = scene;
  const { groupStart, groups } = layout.lines;
  const [from, to] = [groupStart[line] as number, groupStart[line + 1] as number];
  const all = groups.subarray(from, Math.min(to, from + MOST_NAMES));
  const text = prepared.lineKind[line] === LineKind.CONTROL ? graphDrawingTexts().controlEdge : carried(scene, line);
  return (
    <div class="tbwidget-graph-tip">
      {[...all].map((group) => (
        <p key={group}>
          {cut(view.path[view.edges.source[group] as number] as string)} →{" "}
          {cut(view.path[view.edges.target[group] as number] as string)}
        </p>
      ))}
      {to - from > MOST_NAMES && <p>…</p>}
      {text !== "" && <b>{text}</b>}
    </div>
  );
}
