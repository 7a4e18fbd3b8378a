// How many device pixels one CSS pixel is: the only place that reads it.

export function pixelRatio(): number {
  return globalThis.devicePixelRatio || 1;
}

const watchers = new Set<() => void>();
let query: MediaQueryList | null = null;

/** Calls `changed` when the ratio changes (another screen, browser zoom); returns what ends that. */
export function watchPixelRatio(changed: () => void): () => void {
  watchers.add(changed);
  if (query === null) {
    listen();
  }
  return () => {
    watchers.delete(changed);
    if (watchers.size === 0) {
      query?.removeEventListener("change", notify);
      query = null;
    }
  };
}

/** A media query matches one ratio only, so each change needs another query. */
function listen(): void {
  query = matchMedia(`(resolution: ${pixelRatio()}dppx)`);
  query.addEventListener("change", notify, { once: true });
}

function notify(): void {
  listen();
  for (const changed of [...watchers]) {
    changed();
  }
}
