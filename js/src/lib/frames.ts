// Draws charts in the browser's frames, the most urgent first; what does not fit into one frame comes in the next.

/** Milliseconds of drawing in one frame before the page gets its turn; what is urgent shall move smoothly. */
const BUDGET = 40;
const BUDGET_BESIDES = 6;

type Draw = () => void;

export class Frames {
  readonly #waiting = new Map<object, Draw>();
  #urgent: object | null = null;
  #frame = 0;

  /** Draws in the next frame; a later `draw` of the same owner takes the place of one that waits. */
  request(owner: object, draw: Draw): void {
    this.#waiting.set(owner, draw);
    this.#start();
  }

  cancel(owner: object): void {
    this.#waiting.delete(owner);
    this.release(owner);
  }

  /** What this owner draws comes before all else, while the pointer is on it. */
  prefer(owner: object): void {
    this.#urgent = owner;
  }

  /** The pointer has left it. */
  release(owner: object): void {
    if (this.#urgent === owner) {
      this.#urgent = null;
    }
  }

  stop(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#waiting.clear();
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
    // One that cannot be drawn must not keep the others from it; the page hears of it all the same.
    if (failures.length > 0) {
      throw failures[0];
    }
  }

  #drawAll(failures: unknown[]): void {
    const urgent = this.#urgent !== null && this.#draw(this.#urgent, failures);
    const end = performance.now() + (urgent ? BUDGET_BESIDES : BUDGET);
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
