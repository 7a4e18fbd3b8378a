// Draws charts in animation frames, the most urgent first; what does not fit into one frame is drawn in the next.

/** Milliseconds of drawing per frame; fewer after an urgent draw, so that what the pointer moves stays smooth. */
const BUDGET = 40;
const BUDGET_AFTER_URGENT = 6;

type Draw = () => void;

export class FrameScheduler {
  readonly #waiting = new Map<object, Draw>();
  #urgent: object | null = null;
  #onDrawn: (() => void) | null = null;
  #frame = 0;

  /** Calls `draw` in the next frame; it replaces a draw of the same owner that still waits. */
  request(owner: object, draw: Draw): void {
    this.#waiting.set(owner, draw);
    this.#start();
  }

  cancel(owner: object): void {
    this.#waiting.delete(owner);
    this.release(owner);
  }

  /** Calls `callback` at the end of the first frame from now on in which nothing is left to draw. */
  whenDrawn(callback: () => void): void {
    this.#onDrawn = callback;
    this.#start();
  }

  /** Draws this owner before all others, while the pointer is on it. */
  prefer(owner: object): void {
    this.#urgent = owner;
  }

  /** The pointer has left this owner. */
  release(owner: object): void {
    if (this.#urgent === owner) {
      this.#urgent = null;
    }
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#waiting.clear();
    this.#onDrawn = null;
  }

  #start(): void {
    if (this.#frame === 0) {
      this.#frame = requestAnimationFrame(() => this.#run());
    }
  }

  #run(): void {
    this.#frame = 0;
    const failures: unknown[] = [];
    this.#drawAll(failures);
    if (this.#waiting.size === 0) {
      const onDrawn = this.#onDrawn;
      this.#onDrawn = null;
      onDrawn?.();
    }
    // A draw that fails must not keep the others from drawing, but the page's console should show it.
    if (failures.length > 0) {
      throw failures[0];
    }
  }

  #drawAll(failures: unknown[]): void {
    const urgent = this.#urgent !== null && this.#draw(this.#urgent, failures);
    const end = performance.now() + (urgent ? BUDGET_AFTER_URGENT : BUDGET);
    for (const owner of this.#waiting.keys()) {
      if (performance.now() > end) {
        this.#start();
        return;
      }
      this.#draw(owner, failures);
    }
  }

  #draw(owner: object, failures: unknown[]): boolean {
    const draw = this.#waiting.get(owner);
    this.#waiting.delete(owner);
    try {
      draw?.();
    } catch (failure) {
      failures.push(failure);
    }
    return draw !== undefined;
  }
}
