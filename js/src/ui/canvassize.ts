// The size of an element that a canvas fills, as it changes.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { pixelRatio, watchPixelRatio } from "../charts/pixelratio";

export interface CanvasWidth {
  /** CSS pixels; 0 before the first measurement. */
  readonly width: number;
  /** Canvas pixels to one CSS pixel. */
  readonly ratio: number;
}

export function useCanvasWidth(ref: { readonly current: HTMLElement | null }): CanvasWidth {
  const size = useSignal<CanvasWidth>({ width: 0, ratio: 1 });
  useEffect(() => {
    const element = ref.current;
    if (element === null) {
      return;
    }
    const measure = () => {
      const { width, ratio } = size.peek();
      if (element.clientWidth !== width || pixelRatio() !== ratio) {
        size.value = { width: element.clientWidth, ratio: pixelRatio() };
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
  return size.value;
}
