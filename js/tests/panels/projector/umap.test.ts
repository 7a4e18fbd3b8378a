import { expect, test, vi } from "vitest";
import type { WorkerLike } from "../../../src/lib/workers";
import type { Points } from "../../../src/panels/projector/codec";
import { umapInPage } from "../../../src/panels/projector/projecting";
import type { Input, Layout } from "../../../src/panels/projector/umap/program";
import type * as Runner from "../../../src/panels/projector/umap/runner";
import { bundled } from "../../bundled";
import { threads } from "../../lib/nodeworkers";

const { UmapRunner } = (await bundled("panels/projector/umap/runner.ts")) as typeof Runner;

const HELD = 8;

/** Distant clusters of `each` points, one after the other. */
function clusters(each: number, count = 3): Input {
  let state = 7;
  const random = () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31 - 0.5;
  };
  const points = each * count;
  const vectors = Float32Array.from({ length: points * HELD }, (_, i) => {
    const cluster = Math.floor(i / HELD / each);
    return random() + (i % HELD === cluster ? 10 : 0);
  });
  const start = [0, 1].map((axis) =>
    Float32Array.from({ length: points }, (_, i) => vectors[i * HELD + axis] as number),
  );
  return { vectors, held: HELD, start, neighbors: 15, minDist: 0.1, metric: "euclidean" };
}

async function computed(input: Input): Promise<{ layout: Layout; progress: Runner.Progress[] }> {
  const { start, started } = await threads();
  const progress: Runner.Progress[] = [];
  const layout = await new UmapRunner([start]).run(input, (one) => progress.push(one), new AbortController().signal);
  expect(started).toHaveLength(1);
  return { layout, progress };
}

/** The share of placed points whose nearest neighbor is in the same cluster. */
function purity({ planes: [x, y] }: Layout, each: number): number {
  const [across, down] = [x as Float32Array, y as Float32Array];
  const placed = [...across.keys()].filter((i) => Number.isFinite(across[i]));
  const own = placed.filter((i) => {
    const away = (j: number) =>
      Math.hypot((across[i] as number) - (across[j] as number), (down[i] as number) - (down[j] as number));
    const nearest = placed.filter((j) => j !== i).reduce((best, j) => (away(j) < away(best) ? j : best));
    return Math.floor(nearest / each) === Math.floor(i / each);
  });
  return own.length / placed.length;
}

test.each(["euclidean", "cosine"] as const)("clusters stay together by %s distance", async (metric) => {
  const { layout, progress } = await computed({ ...clusters(40), metric });
  expect(layout.used).toBe(120);
  expect(purity(layout, 40)).toBeGreaterThan(0.95);
  const shuffled = layout.planes.map((plane) => plane.map((_, i) => plane[(i * 7) % 120] as number));
  expect(purity({ ...layout, planes: shuffled }, 40)).toBeLessThan(0.6);
  expect([...new Set(progress.map(({ phase }) => phase))]).toEqual(["waiting", "neighbors", "layout"]);
  const shares = progress.flatMap((one) => (one.phase === "layout" ? [one.done / one.total] : []));
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
});

test("the same vectors give the same picture, whatever their unit", async () => {
  const input = clusters(20);
  const { layout } = await computed(input);
  expect((await computed(input)).layout).toEqual(layout);
  const large = await computed({ ...input, vectors: input.vectors.map((value) => value * 2 ** 100) });
  expect(large.layout).toEqual(layout);
});

test("an embedding of one component begins along a line", async () => {
  const input = clusters(10);
  const points = { count: 30, components: input.start.slice(0, 1) } as unknown as Points;
  const vectors = { count: 30, dimensions: HELD, held: HELD, digest: "abc", values: input.vectors };
  const inputs: Input[] = [];
  const { start } = await threads();
  const runner = new UmapRunner([start]);
  const umap: Pick<Runner.UmapRunner, "run"> = {
    run: (given, ...rest) => {
      inputs.push(given);
      return runner.run(given, ...rest);
    },
  };
  const parameters = { dimensions: 2, neighbors: 5, minDist: 0.1, metric: "euclidean" } as const;
  const { data } = await umapInPage(umap, points, vectors, parameters).compute(() => {}, new AbortController().signal);
  expect(inputs[0]?.start).toEqual([input.start[0], new Float32Array(30)]);
  expect(new Float32Array(data.slice().buffer).every(Number.isFinite)).toBe(true);
});

test("vectors without a distance to others have no place", async () => {
  const input = clusters(10);
  input.vectors[5 * HELD] = Number.NaN;
  input.vectors.fill(0, 7 * HELD, 8 * HELD);
  const without = ({ planes }: Layout) =>
    [...(planes[0] as Float32Array).keys()].filter((i) => Number.isNaN(planes[1]?.[i]));
  const { layout } = await computed({ ...input, metric: "cosine" });
  expect([layout.used, without(layout)]).toEqual([28, [5, 7]]);
  expect(without((await computed(input)).layout)).toEqual([5]);
});

test.each([
  ["four points", { ...clusters(2, 2), neighbors: 15 }, 4],
  ["equal points", { ...clusters(10), vectors: new Float32Array(30 * HELD).fill(3) }, 30],
  ["points of one place at first", { ...clusters(10), start: [new Float32Array(30), new Float32Array(30)] }, 30],
])("%s have places", async (_, input, used) => {
  const { layout } = await computed(input);
  expect(layout.used).toBe(used);
  expect(layout.planes.every((plane) => plane.every(Number.isFinite))).toBe(true);
  expect(layout.neighbors).toBe(Math.min(15, used - 1));
});

test("too few points are said to be so", async () => {
  await expect(computed(clusters(1))).rejects.toThrow("3 points with a place; UMAP needs 4 at least");
});

test("a page without workers says so", async () => {
  const none = () => {
    throw new Error("forbidden");
  };
  const run = new UmapRunner([none, none]).run(clusters(10), () => {}, new AbortController().signal);
  await expect(run).rejects.toThrow("this page forbids workers");
});

test("a stop ends the worker, and the next one begins", async () => {
  const { start, started } = await threads();
  const ended: WorkerLike[] = [];
  const runner = new UmapRunner([
    (source) => {
      const worker = start(source);
      const terminate = worker.terminate;
      worker.terminate = () => {
        ended.push(worker);
        terminate();
      };
      return worker;
    },
  ]);
  const end = new AbortController();
  const phases: string[] = [];
  const first = runner.run(clusters(200), ({ phase }) => phase === "layout" && end.abort(), end.signal);
  const second = runner.run(clusters(10), ({ phase }) => phases.push(phase), new AbortController().signal);
  expect(phases).toEqual(["waiting"]);
  await expect(first).rejects.toMatchObject({ name: "AbortError" });
  await expect(second).resolves.toMatchObject({ used: 30 });
  await vi.waitFor(() => expect(ended).toEqual(started));
  expect(started).toHaveLength(2);
});
