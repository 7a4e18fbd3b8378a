// The first view of a graph, laid out without a page: reads encoded structures from files, prints figures as JSON lines.

import { readFileSync } from "node:fs";
import * as viewpoint from "../../js/src/panels/graphs/draw/viewpoint";
import { layOut } from "../../js/src/panels/graphs/layout/layout";
import { compose } from "../../js/src/panels/graphs/model/compose";
import { decodeStructure } from "../../js/src/panels/graphs/model/decode";
import { layoutInput } from "../../js/src/panels/graphs/model/layoutinput";
import { crossings, segmentsOf } from "../../js/tests/graphs/layout/measure";

/** CSS pixels of the drawing in a notebook 1400 wide. */
const STAGE = { width: 1180, height: 510 };

for (const file of process.argv.slice(2)) {
  const structure = await decodeStructure(new Uint8Array(readFileSync(file)));
  const begin = performance.now();
  const view = compose(structure, { opened: new Set((structure as { opened?: readonly string[] }).opened ?? []) });
  const input = layoutInput(view, structure, { main: new Set(), auxiliary: new Set() });
  const layout = layOut(input);
  const ms = performance.now() - begin;
  const boxes = Array.from({ length: view.count }, (_, box) => box);
  const isAside = (box: number): boolean =>
    box >= 0 && (input.area[box] !== 0 || isAside(view.parent[box] as number));
  const main = boxes.filter((box) => view.open[box] === 0 && !isAside(box));
  const aside = boxes.filter((box) => input.area[box] !== 0 && !isAside(view.parent[box] as number));
  const sum = (of: readonly number[], value: (box: number) => number) => of.reduce((all, box) => all + value(box), 0);
  const nodesAside = sum(aside, (box) => view.nodes[box] as number);
  const scene = { view, input, layout } as unknown as Parameters<typeof viewpoint.startOf>[0];
  const camera = viewpoint.startOf(scene, STAGE);
  const places = main.map((box) => {
    const { x, y, w, h } = layout;
    const left = camera.x + camera.zoom * (x[box] as number);
    const top = camera.y + camera.zoom * (y[box] as number);
    return { left, top, right: left + camera.zoom * (w[box] as number), bottom: top + camera.zoom * (h[box] as number) };
  });
  const seen = places.filter(
    ({ left, top, right, bottom }) => right > 0 && bottom > 0 && left < STAGE.width && top < STAGE.height,
  );
  const clip = (value: number, most: number) => Math.min(most, Math.max(0, value));
  const width = Math.max(...seen.map(({ right }) => clip(right, STAGE.width))) - Math.min(...seen.map(({ left }) => clip(left, STAGE.width)));
  const height =
    Math.max(...seen.map(({ bottom }) => clip(bottom, STAGE.height))) -
    Math.min(...seen.map(({ top }) => clip(top, STAGE.height)));
  const figures = {
    boxes: view.count,
    main: main.length,
    aside: aside.length,
    nodesInMain: 1 - nodesAside / structure.nodeCount,
    largestAside: Math.max(0, ...aside.map((box) => view.nodes[box] as number)) / structure.nodeCount,
    connected: main.length ? largestComponent(main, input) / main.length : 0,
    inSight: main.length ? seen.length / main.length : 0,
    stage: seen.length ? (width * height) / (STAGE.width * STAGE.height) : 0,
    zoom: camera.zoom,
    crossings: crossings(segmentsOf(layout)),
    ms,
    opened: boxes.filter((box) => view.open[box]).map((box) => view.path[box]),
    asidePaths: aside.map((box) => view.path[box]),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

/** Boxes of the largest component, by the routes drawn between closed boxes of the main drawing. */
function largestComponent(main: readonly number[], { source, target, count }: ReturnType<typeof layoutInput>): number {
  const label = Int32Array.from({ length: count }, (_, box) => box);
  const find = (box: number): number => {
    while (label[box] !== box) {
      label[box] = label[label[box] as number] as number;
      box = label[box] as number;
    }
    return box;
  };
  source.forEach((from, i) => {
    label[find(from)] = find(target[i] as number);
  });
  const sizes = new Map<number, number>();
  for (const box of main) {
    sizes.set(find(box), (sizes.get(find(box)) ?? 0) + 1);
  }
  return Math.max(...sizes.values());
}
