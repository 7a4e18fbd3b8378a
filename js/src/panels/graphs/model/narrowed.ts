// A first view with fewer boxes open, while the structure is not here.

import { orderPairs } from "./groups";
import { BoxKind, type EdgeGroups, type View } from "./view";

/** The view with only those of its open boxes open whose paths are `opened`. */
export function narrowed(view: View, opened: ReadonlySet<string>): View {
  const { count, path, parent, open } = view;
  /** The box that each one is, or is hidden in. */
  const shown = new Int32Array(count);
  const kept: number[] = [];
  const place = new Int32Array(count);
  const stays = new Uint8Array(count);
  for (let box = 0; box < count; box += 1) {
    const around = parent[box] as number;
    const isShown = around < 0 || stays[around] === 1;
    // What stands for all in a stack is open as long as that is.
    const isOpen = opened.has(path[box] as string) || (around >= 0 && view.kind[around] === BoxKind.STACK);
    shown[box] = isShown ? box : (shown[around] as number);
    stays[box] = isShown && isOpen ? (open[box] as number) : 0;
    if (isShown) {
      place[box] = kept.push(box) - 1;
    }
  }
  if (kept.length === count && stays.every((one, box) => one === open[box])) {
    return view;
  }
  const at = (box: number) => place[shown[box] as number] as number;
  const numbers = (column: Int32Array) => Int32Array.from(kept, (box) => column[box] as number);
  const bytes = (column: Uint8Array) => Uint8Array.from(kept, (box) => column[box] as number);
  return {
    count: kept.length,
    path: kept.map((box) => path[box] as string),
    label: kept.map((box) => view.label[box] as string),
    kind: bytes(view.kind),
    parent: Int32Array.from(kept, (box) => ((parent[box] as number) < 0 ? -1 : at(parent[box] as number))),
    entry: numbers(view.entry),
    op: kept.map((box) => view.op[box] as string),
    nodes: numbers(view.nodes),
    copies: numbers(view.copies),
    odd: kept.map((box) => view.odd[box] as readonly string[]),
    alike: numbers(view.alike),
    unordered: bytes(view.unordered),
    role: bytes(view.role),
    open: bytes(stays),
    edges: merged(view.edges, at, kept.length),
  };
}

/** The groups between the boxes that ends now are; of several as one, the shape is not known. */
function merged(edges: EdgeGroups, at: (box: number) => number, boxes: number): EdgeGroups {
  const source = edges.source.map(at);
  const target = edges.target.map(at);
  const groups: number[][] = [];
  for (const group of orderPairs(source, target, boxes)) {
    const last = groups.at(-1)?.[0];
    if (last !== undefined && source[last] === source[group] && target[last] === target[group]) {
      groups.at(-1)?.push(group);
    } else {
      groups.push([group]);
    }
  }
  const sums = (column: ArrayLike<number>) =>
    groups.map((members) => members.reduce((sum, group) => sum + (column[group] as number), 0));
  return {
    count: groups.length,
    source: Int32Array.from(groups, ([first = 0]) => source[first] as number),
    target: Int32Array.from(groups, ([first = 0]) => target[first] as number),
    data: Int32Array.from(sums(edges.data)),
    control: Int32Array.from(sums(edges.control)),
    reference: Int32Array.from(sums(edges.reference)),
    size: Float64Array.from(sums(edges.size)),
    shape: groups.map(([first = 0, ...more]) => (more.length === 0 ? (edges.shape[first] as string) : "")),
    tensors: null,
  };
}
