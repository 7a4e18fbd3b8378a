// Finds rectangles by place. Each stands in one cell of a grid whose cells are larger than it is.

const FINEST = 64;
const COARSER = 4;

/** Keys of cells: levels, columns and rows side by side in a double. */
const ROWS = 2 ** 20;

export class Grid {
  readonly #cells = new Map<number, number[]>();
  readonly #levels = new Set<number>();

  insert(item: number, x: number, y: number, w: number, h: number): void {
    let level = 0;
    let size = FINEST;
    while (size < w || size < h) {
      level += 1;
      size *= COARSER;
    }
    this.#levels.add(level);
    const key = keyOf(level, Math.floor(x / size), Math.floor(y / size));
    const cell = this.#cells.get(key);
    if (cell === undefined) {
      this.#cells.set(key, [item]);
    } else {
      cell.push(item);
    }
  }

  /** Calls `visit` with what may touch a rectangle, until that returns true; returns whether it did. */
  some(left: number, top: number, right: number, bottom: number, visit: (item: number) => boolean): boolean {
    for (const level of this.#levels) {
      const size = FINEST * COARSER ** level;
      // What begins in the cell before may reach into this one.
      for (let column = Math.floor(left / size) - 1; column <= Math.floor(right / size); column++) {
        for (let row = Math.floor(top / size) - 1; row <= Math.floor(bottom / size); row++) {
          if (this.#cells.get(keyOf(level, column, row))?.some(visit)) {
            return true;
          }
        }
      }
    }
    return false;
  }
}

function keyOf(level: number, column: number, row: number): number {
  return (level * ROWS + column + 1) * ROWS + row + 1;
}
