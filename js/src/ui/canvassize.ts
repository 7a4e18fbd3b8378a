// The size of an element that a canvas fills, as it changes.

import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { pixelRatio, watchPixelRatio } from "../charts/pixelratio";

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
