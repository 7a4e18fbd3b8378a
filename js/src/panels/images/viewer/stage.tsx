// Where images are shown, zoomed and moved: all stages of a tag share its camera.

import { type Signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Point, Size } from "../../../charts/geometry";
import { type Camera, type Placement, panBy, pixelAt, place, WHOLE, zoomAt } from "../zoom/camera";
import { listen } from "../zoom/gestures";

interface Props {
  /** Size of the image that the camera shows. */
  readonly image: Size;
  readonly camera: Signal<Camera>;
  /** The common size of all visible stages. */
  readonly size: Signal<Size>;
  /** The pixel below the pointer. */
  hovered(pixel: Point | null): void;
  readonly label: string;
  readonly children: (placed: Placement) => ComponentChildren;
}

export function Stage({ image, camera, size, hovered, label, children }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const now = useRef({ image, hovered });
  now.current = { image, hovered };
  const laidOut = useSignal(false);
  // Before the browser paints: another comparison would begin with an empty stage.
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) {
      return;
    }
    const measure = () => {
      // A stage that is taken away has no size any more.
      if (element.clientWidth > 0 && element.clientHeight > 0) {
        size.value = { width: element.clientWidth, height: element.clientHeight };
        laidOut.value = true;
      }
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    const unlisten = listen(element, {
      zoomed: (factor, at) => {
        camera.value = zoomAt(camera.peek(), factor, at, now.current.image, size.peek());
      },
      moved: (by) => {
        camera.value = panBy(camera.peek(), by, now.current.image, size.peek());
      },
      hovered: (at) => {
        const placed = place(camera.peek(), now.current.image, size.peek());
        now.current.hovered(at === null ? null : pixelAt(at, placed, now.current.image));
      },
      reset: () => {
        camera.value = WHOLE;
      },
    });
    return () => {
      sizes.disconnect();
      unlisten();
    };
  }, [camera, size, laidOut]);
  return (
    <div ref={host} class="tbwidget-stage" role="img" aria-label={label}>
      {laidOut.value && children(place(camera.value, image, size.value))}
    </div>
  );
}

/** Where a second image is drawn over a first one: of the same scale, with the same upper left corner, never stretched. */
export function placedOver(first: Placement, { width, height }: Size): Placement {
  return { ...first, width: width * first.scale, height: height * first.scale };
}

/** Style of an element at a placement. */
export function styleOf({ left, top, width, height }: Placement) {
  return { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
}
