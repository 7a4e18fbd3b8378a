// Draws charts in animation frames, the most urgent first; what does not fit into one frame is drawn in the next.

/** Milliseconds of drawing per frame; fewer after an urgent draw, so that what the pointer moves stays smooth. */
const BUDGET = 40;
const BUDGET_AFTER_URGENT = 6;

type Draw = () => void;

interface Request {
  readonly draw: Draw;
  /** The generation in which the owner began to wait. */
  readonly generation: number;
}

/** Waits for every owner that began to wait in this generation or before. */
interface Watch {
  readonly generation: number;
  readonly callback: () => void;
}

export class FrameScheduler {
  /** In the order in which the owners began to wait, so their generations ascend. */
  readonly #waiting = new Map<object, Request>();
  #urgent: object | null = null;
  #onDrawn: (() => void) | null = null;
  #generation = 0;
  #watches: Watch[] = [];
  #frame = 0;

  /** Calls `draw` in the next frame; it replaces a draw of the same owner that still waits. */
  request(owner: object, draw: Draw): void {
    const generation = this.#waiting.get(owner)?.generation ?? this.#generation;
    this.#waiting.set(owner, { draw, generation });
    this.#start();
  }

  cancel(owner: object): void {
    this.#waiting.delete(owner);
    this.release(owner);
  }

  /**
   * Calls `callback` at the end of the frame in which the last owner is drawn, or cancelled, of those that wait when the next
   * frame begins. Charts that draw without pause would keep it from an empty queue forever. A later callback stands for the
   * earlier ones: of several that are due in one frame, only the last is called.
   */
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
    this.#watches = [];
  }

  #start(): void {
    if (this.#frame === 0) {
      this.#frame = requestAnimationFrame(() => this.#run());
    }
  }

  #run(): void {
    this.#frame = 0;
    if (this.#onDrawn !== null) {
      this.#watches.push({ generation: this.#generation, callback: this.#onDrawn });
      this.#onDrawn = null;
      this.#generation += 1;
    }
    const failures: unknown[] = [];
    this.#drawAll(failures);
    this.#tellDrawn();
    // A draw that fails must not keep the others from drawing, but the page's console should show it.
    if (failures.length > 0) {
      throw failures[0];
    }
  }

  #tellDrawn(): void {
    const [oldest] = this.#waiting.values();
    const pending = this.#watches.filter(({ generation }) => oldest !== undefined && generation >= oldest.generation);
    const last = this.#watches[this.#watches.length - pending.length - 1];
    this.#watches = pending;
    last?.callback();
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
    const request = this.#waiting.get(owner);
    this.#waiting.delete(owner);
    try {
      request?.draw();
    } catch (failure) {
      failures.push(failure);
    }
    return request !== undefined;
  }
}
