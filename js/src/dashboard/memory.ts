// What this browser remembers of the choices made in a log directory.

import { hash } from "../lib/hash";

const PREFIX = "tbwidget:";

/** Bytes of one directory's choices beyond which they are not remembered: the page's room is shared. */
const MOST = 200_000;

export class Memory {
  #key: string | null = null;
  #held: Record<string, unknown> = {};

  /** Opens the memory of a directory; false if it is open already. Choices made before are part of it. */
  open(path: string): boolean {
    const key = PREFIX + hash(path);
    if (key === this.#key) {
      return false;
    }
    this.#key = key;
    this.#held = { ...load(key), ...this.#held };
    return true;
  }

  recall(name: string): unknown {
    return this.#held[name];
  }

  keep(name: string, value: unknown): void {
    this.#held[name] = value;
    if (this.#key === null) {
      return;
    }
    try {
      const text = JSON.stringify(this.#held);
      if (text.length <= MOST) {
        localStorage.setItem(this.#key, text);
      } else {
        forget(this.#key);
      }
    } catch {
      // No memory here, or it is full: the choices hold as long as the page.
      forget(this.#key);
    }
  }
}

/** Better no choices than some that were changed since. */
function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // No memory here.
  }
}

function load(key: string): Record<string, unknown> {
  try {
    const held: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof held === "object" && held !== null && !Array.isArray(held) ? (held as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
