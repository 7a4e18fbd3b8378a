// Aligns the numbers of a column at their decimal points: what follows the point is as wide as the longest one seen.

/** CSS of a point, beside which every character is a digit wide. */
const POINT = "0.3em";

/** One a table. Widths are properties of its element: cells are not rendered again when a column becomes wider. */
export class Fractions {
  readonly #columns = new Map<string, { readonly property: string; digits: number }>();
  #root: HTMLElement | null = null;

  /** The element that has the widths; null when it is gone. */
  readonly attach = (root: HTMLElement | null): void => {
    this.#root = root;
    for (const column of this.#columns.values()) {
      this.#set(column);
    }
  };

  /** CSS for the width of what follows the point in a column. */
  widthOf(key: string): string {
    return `var(${this.#columnOf(key).property}, 0)`;
  }

  /** Makes room for a number with `digits` digits behind the point. */
  grow(key: string, digits: number): void {
    const column = this.#columnOf(key);
    if (digits > column.digits) {
      column.digits = digits;
      this.#set(column);
    }
  }

  #columnOf(key: string) {
    let column = this.#columns.get(key);
    if (column === undefined) {
      column = { property: `--tbwidget-fraction-${this.#columns.size}`, digits: 0 };
      this.#columns.set(key, column);
    }
    return column;
  }

  #set({ property, digits }: { readonly property: string; readonly digits: number }): void {
    if (digits > 0) {
      this.#root?.style.setProperty(property, `calc(${digits}ch + ${POINT})`);
    }
  }
}

/** A number's text up to its decimal point or exponent, and from there on. */
export function splitNumber(text: string): readonly [whole: string, fraction: string] {
  const at = /^[-−+]?\d[\d\u202f,]*/u.exec(text)?.[0].length ?? text.length;
  return [text.slice(0, at), text.slice(at)];
}
