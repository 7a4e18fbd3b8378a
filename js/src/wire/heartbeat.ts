// Heartbeats tell the kernel that a view exists: an idle kernel without one for a minute stops sending.

/** Seconds between two heartbeats, while the page is visible. */
export const HERE = 20;

/** Calls `send` every HERE seconds while the page is visible, and at once when it becomes so; ends with `until`. */
export function startHeartbeat(page: Document | undefined, send: () => void, until: AbortSignal): void {
  const sendIfVisible = () => {
    if (isVisible(page)) {
      send();
    }
  };
  const timer = setInterval(sendIfVisible, HERE * 1000);
  page?.addEventListener("visibilitychange", sendIfVisible, { signal: until });
  until.addEventListener("abort", () => clearInterval(timer), { once: true });
}

export function isVisible(page: Document | undefined): boolean {
  return page === undefined || page.visibilityState === "visible";
}
