// Keeps a slow drawing smooth: it is drawn with fewer pixels while it moves, and sharp once it rests.

/** Milliseconds of drawing from which on the next frame is coarser, and of rest after which it is sharp. */
const LONG_MS = 25;
const REST_MS = 180;

const MAX_COARSENESS = 4;

export class Moving {
  readonly #redraw: () => void;
  #coarseness = 1;
  #isCoarse = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `redraw` is called when something that was drawn coarsely rests. */
  constructor(redraw: () => void) {
    this.#redraw = redraw;
  }

  /** The picture moves: a coarse drawing is refined once it rests. */
  moved(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isCoarse) {
        this.#redraw();
      }
    }, REST_MS);
  }

  /**
   * Draws for a screen with `ratio` pixels per CSS pixel. `coarseness` is the width and height of a drawn pixel, in pixels
   * of the screen: two CSS pixels at most.
   */
  draw(ratio: number, paint: (coarseness: number) => void): void {
    const coarseness = this.#timer === undefined ? 1 : Math.max(1, Math.min(this.#coarseness, 2 * ratio));
    this.#isCoarse = coarseness > 1;
    const begin = performance.now();
    paint(coarseness);
    const lasted = performance.now() - begin;
    if (coarseness === 1) {
      // A frame takes about as long as it has pixels.
      this.#coarseness = lasted > 4 * LONG_MS ? 4 : lasted > LONG_MS ? 2 : 1;
    } else if (lasted > LONG_MS) {
      this.#coarseness = MAX_COARSENESS;
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
