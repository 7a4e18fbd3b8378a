// Threads for tests that need workers, because node's differ from the browser's.

import { WORKER_SOURCE } from "../../src/lib/namematcher";
import type { WorkerLike, WorkerStarter } from "../../src/lib/workers";

const BROWSER_LIKE = `const { parentPort } = require("node:worker_threads");
globalThis.self = globalThis;
globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
parentPort.on("message", (data) => globalThis.onmessage({ data }));
`;

/** Starts node's threads behind the interface of a browser's Worker; `started` lists them. */
export async function threads(): Promise<{ start: WorkerStarter; started: WorkerLike[] }> {
  // The tests have no types of node.
  const name = "node:worker_threads";
  const { Worker } = (await import(/* @vite-ignore */ name)) as {
    Worker: new (
      source: string,
      options: { eval: true },
    ) => {
      on(event: string, callback: (data: unknown) => void): void;
      postMessage(message: unknown): void;
      terminate(): Promise<unknown>;
    };
  };
  const started: WorkerLike[] = [];
  const start: WorkerStarter = (source) => {
    const thread = new Worker(BROWSER_LIKE + source, { eval: true });
    const worker: WorkerLike = {
      onmessage: null,
      onerror: null,
      postMessage: (message) => thread.postMessage(message),
      terminate: () => void thread.terminate(),
    };
    thread.on("message", (data) => worker.onmessage?.({ data }));
    thread.on("error", (problem) => worker.onerror?.(problem));
    started.push(worker);
    return worker;
  };
  return { start, started };
}

/** Starts such threads for regular expressions. */
export async function nodeWorkers(): Promise<() => WorkerLike> {
  const { start } = await threads();
  return () => start(WORKER_SOURCE.replace("onmessage =", "globalThis.onmessage ="));
}
