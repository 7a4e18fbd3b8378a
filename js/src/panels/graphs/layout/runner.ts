// Composes and lays out in a worker or, where a page allows none, in slices between other things.

import { STARTERS, type WorkerLike, type WorkerStarter } from "../../../lib/workers";
import { place } from "../pageprogram";
import { type Answer, type Placed, program, type Question, type Wanted } from "./program";

export interface LayoutRunner {
  /** The wanted layout; null if a newer request replaced it, or the runner was closed. */
  run(asked: Wanted): Promise<Placed | null>;
  close(): void;
}

/** If a worker has not started by then, the page lays out by itself. */
const START_TIMEOUT_MS = 1500;

/** Longest that the layout blocks the page at a time, without a worker. */
const SLICE_MS = 8;

interface Asked {
  readonly id: number;
  readonly wanted: Wanted;
  resolve(placed: Placed | null): void;
  reject(problem: Error): void;
}

export function layoutRunner(starters: readonly WorkerStarter[] = STARTERS): LayoutRunner {
  const cache = new Map();
  const left = [...starters];
  let worker: WorkerLike | null = null;
  let isReady = false;
  let isClosed = false;
  let asked: Asked | null = null;
  let count = 0;
  /** The graph that the worker has. */
  let sent: Wanted["of"] | null = null;
  let patience: ReturnType<typeof setTimeout> | undefined;

  const settle = (placed: Placed | null) => {
    asked?.resolve(placed);
    asked = null;
  };

  const inSlices = () => {
    const own = asked;
    if (own) {
      place(own.wanted, cache, SLICE_MS, () => own === asked).then(
        (placed) => own === asked && settle(placed),
        (problem) => own.reject(problem),
      );
    }
  };

  const ask = () => {
    if (worker && isReady && asked) {
      const { of, ...options } = asked.wanted;
      worker.postMessage({ id: asked.id, ...options, ...(of !== sent && { of }) } satisfies Question);
      sent = of;
    }
  };

  const start = () => {
    worker?.terminate();
    worker = null;
    isReady = false;
    sent = null;
    const starter = left.shift();
    if (!starter || isClosed) {
      clearTimeout(patience);
      inSlices();
      return;
    }
    try {
      const own = starter(`(${program})().serve(self)`);
      worker = own;
      own.onerror = () => worker === own && start();
      own.onmessage = ({ data }) => {
        if (data === "started") {
          isReady = true;
          clearTimeout(patience);
          ask();
          return;
        }
        const { id, placed, problem } = data as Answer;
        if (id !== asked?.id) {
          return;
        }
        if (placed) {
          settle(placed);
        } else {
          asked.reject(new Error(problem));
        }
      };
    } catch {
      // Some pages allow no worker of this origin: then the next way.
      start();
    }
  };

  return {
    run(wanted) {
      settle(null);
      return new Promise((resolve, reject) => {
        if (isClosed) {
          resolve(null);
          return;
        }
        asked = { id: ++count, wanted, resolve, reject };
        if (isReady) {
          ask();
          return;
        }
        if (count === 1) {
          start();
        }
        if (worker) {
          clearTimeout(patience);
          patience = setTimeout(inSlices, START_TIMEOUT_MS);
        } else if (count > 1) {
          inSlices();
        }
      });
    },
    close() {
      isClosed = true;
      clearTimeout(patience);
      settle(null);
      worker?.terminate();
      worker = null;
    },
  };
}
