// Tells the kernel now and then that somebody is looking: an idle kernel that hears nothing for long stops sending.

/** Seconds between two signs of life, while the page is visible. */
export const HERE = 20;

/** Says so every HERE seconds while the page is visible, and at once when it becomes so; ends with `until`. */
export function tellPresence(page: Document | undefined, say: () => void, until: AbortSignal): void {
  const visible = () => page === undefined || page.visibilityState === "visible";
  const sayIfVisible = () => {
    if (visible()) {
      say();
    }
  };
  const timer = setInterval(sayIfVisible, HERE * 1000);
  page?.addEventListener("visibilitychange", sayIfVisible, { signal: until });
  until.addEventListener("abort", () => clearInterval(timer), { once: true });
}
