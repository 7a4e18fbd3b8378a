// Layers cover the whole window: modal dialogs, and parts of the page that have gone over it.

/** A selector of them. */
export const LAYER = ':is(dialog:modal, [aria-modal="true"])';

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
