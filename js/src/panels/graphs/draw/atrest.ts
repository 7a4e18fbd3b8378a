// What is done when the user rests: a moment after it was asked for, and not during a gesture.

/** Milliseconds. */
const REST = 120;

export class AtRest {
  readonly #host: HTMLElement;
  readonly #gestures: readonly string[];
  readonly #act: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;

  /** `gestures`: attributes that the host has during those that are waited for. */
  constructor(host: HTMLElement, gestures: readonly string[], act: () => void) {
    [this.#host, this.#gestures, this.#act] = [host, gestures, act];
  }

  request(): void {
    if (this.#frame > 0) {
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#gestures.some((name) => this.#host.hasAttribute(name))) {
        this.request();
      } else {
        this.#act();
      }
    }, REST);
  }

  /** After the next frame, whatever the user does. */
  soon(): void {
    this.cancel();
    this.#frame = requestAnimationFrame(() => {
      this.#timer = setTimeout(() => {
        this.#frame = 0;
        this.#act();
      });
    });
  }

  cancel(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }
}
