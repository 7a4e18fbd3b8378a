// Waits until a dashboard has something to show, so that it takes the place of something else no sooner.

/** A card that has been drawn. */
export const CHART = ".tbwidget [data-last-step]";

/**
 * Calls `then` when a dashboard in `node` has something to show, unless the signal comes first. For a chart it waits so many
 * milliseconds more.
 */
export function whenSomethingIsShown(node: HTMLElement, then: () => void, signal: AbortSignal, forChart = 0): void {
  let waiting = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    waiting = false;
    observer.disconnect();
    clearTimeout(timer);
  };
  const shown = () => {
    end();
    then();
  };
  const look = () => {
    const state = node.querySelector<HTMLElement>(".tbwidget")?.dataset.state;
    if (!waiting || state === undefined || state === "reading") {
      return;
    }
    if (forChart === 0 || node.querySelector(CHART) !== null) {
      shown();
    } else {
      timer ??= setTimeout(shown, forChart);
    }
  };
  const observer = new MutationObserver(look);
  observer.observe(node, { subtree: true, childList: true, attributeFilter: ["data-state", "data-last-step"] });
  signal.addEventListener("abort", end, { once: true });
  look();
}
