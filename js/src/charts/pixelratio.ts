// Device pixels per CSS pixel, which only this file reads, and the size of an element that a canvas fills.

import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";

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

/** CSS pixels; 0 before the first measurement. */
export interface CanvasSize {
  readonly width: number;
  readonly height: number;
  /** Canvas pixels to one CSS pixel. */
  readonly ratio: number;
}

/** The size as a signal: a component that reads its `value` is rendered again when it changes. */
export function useCanvasSize(ref: { readonly current: HTMLElement | null }): ReadonlySignal<CanvasSize> {
  const size = useSignal<CanvasSize>({ width: 0, height: 0, ratio: 1 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) {
      return;
    }
    const measure = () => {
      const { width, height, ratio } = size.peek();
      if (element.clientWidth !== width || element.clientHeight !== height || pixelRatio() !== ratio) {
        size.value = { width: element.clientWidth, height: element.clientHeight, ratio: pixelRatio() };
      }
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    const unwatch = watchPixelRatio(measure);
    return () => {
      sizes.disconnect();
      unwatch();
    };
  }, [ref, size]);
  return size;
}
