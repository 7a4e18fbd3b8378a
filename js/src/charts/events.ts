// The events of a chart, and its options.

import type { Range } from "../lib/range";
import type { Camera } from "./camera";
import type { Hit, Layout } from "./layout";

/** What the crosshair is at; `left` and `top` are pixels of the window. */
export interface Pointed<T> {
  readonly details: T;
  readonly left: number;
  readonly top: number;
  /** Moved there by keys, so that it is to be read out. */
  readonly byKeys: boolean;
}

export interface ChartEvents<T> {
  /** The layout is on the screen. */
  drawn(layout: Layout<T>): void;
  pointed(pointed: Pointed<T> | null): void;
  /** `times` counts the clicks that follow quickly upon one another. */
  clicked(hit: Hit<T>, times: number): void;
  /** The user went to another part of the data. */
  moved(camera: Camera): void;
  /** The axes are to be fitted to the data, whatever limits were set. */
  fit(): void;
  /** A mark was pressed: the y axis is to include the values beyond it. */
  included?(): void;
  /** Without it drags select nothing: what is between two places along x. */
  readonly selected?: ((range: Range) => void) | undefined;
  /** Whether drags select without Ctrl or ⌘, too. */
  selecting?(): boolean;
}

export interface ChartOptions {
  /** What the chart shows and which keys it has, to those who cannot see it. */
  readonly label: string;
  /** Id of the element that shows what the crosshair is at. */
  readonly tooltipId: string;
}
