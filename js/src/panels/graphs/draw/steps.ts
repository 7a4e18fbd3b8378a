// Where the arrow keys lead from a box: along its edges, or to what stands beside it. Pure.

import type { Prepared, Scene } from "./scene";

/** Data flow upwards: "up" leads to what uses a box's outputs. */
export type Direction = "up" | "down" | "left" | "right" | "out" | "in";

/** The box that a key leads to; -1 where there is none. From no box, to the first one, where the data come in. */
export function stepFrom(scene: Scene, prepared: Prepared, box: number, direction: Direction): number {
  if (box < 0) {
    return firstBox(scene);
  }
  switch (direction) {
    case "out":
      return scene.view.parent[box] as number;
    case "in":
      return firstInside(scene, box);
    case "left":
    case "right":
      return neighbor(scene, box, direction === "left" ? -1 : 1);
    default: {
      const along = alongEdges(scene, prepared, box, direction === "up");
      return along >= 0 ? along : beyond(scene, box, direction === "up" ? -1 : 1);
    }
  }
}

/** The lowest box of what most of the graph is in; -1 where there is none. */
export function firstBox(scene: Scene, among = mainComponent(scene)): number {
  return lowest(scene, among);
}

/** The boxes at the top level that hang together and hold most nodes; those in auxiliary areas are among none. */
export function mainComponent({ view, input }: Scene): readonly number[] {
  const { count, parent } = view;
  const top = new Int32Array(count);
  const component = new Int32Array(count);
  for (let box = 0; box < count; box++) {
    const around = parent[box] as number;
    top[box] = around < 0 ? box : (top[around] as number);
    component[box] = box;
  }
  const find = (box: number) => {
    let at = box;
    while (component[at] !== at) {
      component[at] = component[component[at] as number] as number;
      at = component[at] as number;
    }
    return at;
  };
  input.source.forEach((from, i) => {
    component[find(top[from] as number)] = find(top[input.target[i] as number] as number);
  });
  const nodes = new Map<number, number>();
  for (let box = 0; box < count; box++) {
    if (parent[box] === -1 && input.area[box] === 0) {
      nodes.set(find(box), (nodes.get(find(box)) ?? 0) + (view.nodes[box] as number));
    }
  }
  const most = [...nodes].reduce((best, one) => (one[1] > best[1] ? one : best), [-1, -1])[0];
  const boxes = Array.from({ length: count }, (_, box) => box).filter((box) => parent[box] === -1);
  const main = boxes.filter((box) => input.area[box] === 0 && find(box) === most);
  return main.length > 0 ? main : boxes;
}

function firstInside(scene: Scene, box: number): number {
  const { view } = scene;
  const inside = Array.from({ length: view.count }, (_, one) => one).filter((one) => view.parent[one] === box);
  return view.open[box] === 1 ? lowest(scene, inside) : -1;
}

/** The lowest of some boxes, of those in an auxiliary area only where there is no other. */
function lowest({ layout, input }: Scene, boxes: readonly number[]): number {
  let [found, least] = [-1, -Infinity];
  for (const box of boxes) {
    const bottom = (layout.y[box] as number) + (layout.h[box] as number) - (input.area[box] === 0 ? 0 : 1e9);
    if (bottom > least) {
      [found, least] = [box, bottom];
    }
  }
  return found;
}

/** The other end of the heaviest bundle: with most data edges, then with most control edges. */
function alongEdges({ view }: Scene, prepared: Prepared, box: number, up: boolean): number {
  const { source, target, data, control, size } = view.edges;
  const [own, other] = up ? [source, target] : [target, source];
  let [found, most] = [-1, -1];
  for (const bundle of prepared.bundlesOf(box)) {
    if (own[bundle] === box && other[bundle] !== box) {
      // Bundles with a route come first, then by their number of data edges, then by the size of their tensors.
      const drawn = prepared.routesOf(bundle).length > 0 ? 1e13 : 0;
      const tensors = data[bundle] as number;
      const much = 1e11 + 100 * tensors + Math.min(99, Math.log1p(size[bundle] as number));
      const weight = drawn + (tensors > 0 ? much : (control[bundle] as number));
      if (weight > most) {
        [found, most] = [other[bundle] as number, weight];
      }
    }
  }
  return found;
}

/** The nearest box of the same scope to the left or right, at about the same height. */
function neighbor({ view, layout: { x, y, w, h } }: Scene, box: number, sign: 1 | -1): number {
  const [middle, height] = [(y[box] as number) + (h[box] as number) / 2, h[box] as number];
  return nearest(view.count, box, view.parent, (other) => {
    const away = sign * ((x[other] as number) + (w[other] as number) / 2 - (x[box] as number) - (w[box] as number) / 2);
    const aside = Math.abs((y[other] as number) + (h[other] as number) / 2 - middle);
    return away > 0 && aside < (height + (h[other] as number)) / 2 ? away + 2 * aside : Infinity;
  });
}

/** The nearest box of the same scope above or below, where no edge leads. */
function beyond({ view, layout: { x, y, w, h } }: Scene, box: number, sign: 1 | -1): number {
  return nearest(view.count, box, view.parent, (other) => {
    const away = sign * ((y[other] as number) + (h[other] as number) / 2 - (y[box] as number) - (h[box] as number) / 2);
    const aside = Math.abs(
      (x[other] as number) + (w[other] as number) / 2 - (x[box] as number) - (w[box] as number) / 2,
    );
    return away > 1 ? away + 2 * aside : Infinity;
  });
}

function nearest(count: number, box: number, parent: Int32Array, distance: (other: number) => number): number {
  let [found, least] = [-1, Infinity];
  for (let other = 0; other < count; other++) {
    if (other !== box && parent[other] === parent[box]) {
      const away = distance(other);
      if (away < least) {
        [found, least] = [other, away];
      }
    }
  }
  return found;
}
