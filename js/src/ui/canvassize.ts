// The size of an element that a canvas fills, as it changes.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { pixelRatio, watchPixelRatio } from "../charts/pixelratio";

export interface CanvasSize {
  /** CSS pixels; 0 before the first measurement. */
  readonly width: number;
  readonly height: number;
  /** Canvas pixels to one CSS pixel. */
  readonly ratio: number;
}

export function useCanvasSize(ref: { readonly current: HTMLElement | null }): CanvasSize {
  const size = useSignal<CanvasSize>({ width: 0, height: 0, ratio: 1 });
  useEffect(() => {
    const element = ref.current;
    if (element === null) {
      return;
    }
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element;
      const [ratio, before] = [pixelRatio(), size.peek()];
      if (width !== before.width || height !== before.height || ratio !== before.ratio) {
        size.value = { width, height, ratio };
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
