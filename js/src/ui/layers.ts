// Layers cover the whole window: modal dialogs, and parts of the page that have gone over it.

/** A selector of them. */
export const LAYER = ':is(dialog:modal, [aria-modal="true"])';

/** A question of the page around the dashboard, such as whether to restart the kernel. */
const QUESTION = "dialog, [role=dialog], [role=alertdialog]";

export function isQuestion(element: Element): boolean {
  return element.closest(QUESTION) !== null && element.closest(".tbwidget") === null;
}

/** Calls `leave` when the page around asks something, which a layer would cover; returns what ends that. */
export function watchQuestions({ body }: Document, leave: () => void): () => void {
  const observer = new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes]);
    if (added.some((node) => node instanceof Element && isQuestion(node))) {
      leave();
    }
  });
  observer.observe(body, { childList: true });
  return () => observer.disconnect();
}

/** Close the layers within an element, except those that hold `kept`. */
export function closeLayers(within: Element | null, kept: Element | null = null): void {
  for (const layer of within?.querySelectorAll<HTMLElement>(LAYER) ?? []) {
    if (!layer.contains(kept)) {
      closeLayer(layer);
    }
  }
}

export function closeLayer(layer: HTMLElement): void {
  if (layer instanceof HTMLDialogElement) {
    layer.close();
  } else {
    layer.dispatchEvent(new Event("close"));
  }
}
