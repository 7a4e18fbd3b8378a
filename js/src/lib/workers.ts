// Ways to start a worker whose text is at hand, in pages that may allow one and not the other.

/** The part of a Worker that is used here. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: unknown) => void) | null;
}

/** Ways to start a worker in a page, the usual one first; each may throw, or give a worker that never starts. */
export type WorkerStarter = (source: string) => WorkerLike;

/** Milliseconds in which a worker must have started. */
export const START_DEADLINE = 10_000;

function fromBlob(source: string): WorkerLike {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  try {
    return new Worker(url) as unknown as WorkerLike;
  } finally {
    // The worker has taken its own reference to the text by the time that this task ends.
    setTimeout(() => URL.revokeObjectURL(url), START_DEADLINE);
  }
}

function fromDataUrl(source: string): WorkerLike {
  return new Worker(`data:text/javascript,${encodeURIComponent(source)}`) as unknown as WorkerLike;
}

export const STARTERS: readonly WorkerStarter[] = [fromBlob, fromDataUrl];
