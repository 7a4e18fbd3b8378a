// Composes and lays out a structure in one function, for a worker or for a page without workers.
//
// In the bundle (see bundle.mjs) the function has everything in it that it needs, so that its own text makes a worker.

import type { WorkerLike } from "../../../lib/workers";
import { type Composing, compose } from "../model/compose";
import { type LayoutOptions, layoutInput } from "../model/layoutinput";
import type { Structure } from "../model/structure";
import { entryOf, isBox, pathOf, rowOf, rowsBy, treeOf } from "../model/tree";
import type { View } from "../model/view";
import { openedUpTo } from "../openall";
import { type LayoutCache, layOutInSteps } from "./layout";
import type { Layout, LayoutInput } from "./types";

/** The graph and the options to lay out. */
export interface Wanted {
  /** A graph; or, while that is not there yet, the view of its closed root. */
  readonly of: Structure | View;
  readonly composing: Composing;
  readonly options: LayoutOptions;
}

/** A view, and where its boxes and routes are. */
export interface Placed {
  readonly view: View;
  readonly input: LayoutInput;
  readonly layout: Layout;
}

/** Request to a worker. */
export interface Question extends Omit<Wanted, "of"> {
  readonly id: number;
  /** Left out if the last question had the same: it is large. */
  readonly of?: Structure | View;
}

/** Its answer: the layout, or the problem. */
export interface Answer {
  readonly id: number;
  readonly placed?: Placed;
  readonly problem?: string;
}

export interface Program {
  /** Composes and lays out in slices of some milliseconds; null once it is not wanted any more. */
  place(wanted: Wanted, cache: LayoutCache, slice: number, isWanted: () => boolean): Promise<Placed | null>;
  /** Answers questions in a worker, the newest only. It says once that it has started. */
  serve(scope: Pick<WorkerLike, "onmessage"> & { postMessage(message: unknown, transfer: Transferable[]): void }): void;
  readonly openedUpTo: typeof openedUpTo;
  /** Functions on the tree of a structure that the page needs, too. */
  readonly tree: typeof tree;
}

const tree = { entryOf, isBox, pathOf, rowOf, rowsBy, treeOf };

/** A worker looks for a newer request after each slice. */
const WORKER_SLICE_MS = 40;

export function program(): Program {
  const place: Program["place"] = async (wanted, cache, slice, isWanted) => {
    const steps = placeInSteps(wanted, cache);
    for (;;) {
      const until = performance.now() + slice;
      do {
        const { done, value } = steps.next();
        if (done) {
          return value;
        }
      } while (performance.now() < until);
      await new Promise((resolve) => setTimeout(resolve));
      if (!isWanted()) {
        return null;
      }
    }
  };
  return {
    place,
    openedUpTo,
    tree,
    serve(scope) {
      const cache: LayoutCache = new Map();
      let newest = 0;
      let last: Question["of"];
      scope.onmessage = async ({ data }) => {
        const { id, of = last, ...options } = data as Question;
        newest = id;
        last = of;
        try {
          const placed = await place(
            { of: of as Structure | View, ...options },
            cache,
            WORKER_SLICE_MS,
            () => id === newest,
          );
          if (placed) {
            const { layout } = placed;
            const columns = [...Object.values(layout), ...Object.values(layout.routes)];
            const buffers = columns.filter((column) => ArrayBuffer.isView(column)).map(({ buffer }) => buffer);
            scope.postMessage({ id, placed } satisfies Answer, [...new Set(buffers)] as Transferable[]);
          }
        } catch (error) {
          scope.postMessage({ id, problem: String(error) } satisfies Answer, []);
        }
      };
      scope.postMessage("started", []);
    },
  };
}

function* placeInSteps({ of, composing, options }: Wanted, cache: LayoutCache): Generator<void, Placed> {
  const structure = "root" in of ? of : null;
  const view = "root" in of ? compose(of, composing) : of;
  yield;
  const input = layoutInput(view, structure, options);
  yield;
  const layout = yield* layOutInSteps(input, cache);
  return { view, input, layout };
}
