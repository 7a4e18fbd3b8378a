// Lines as the `d` of an SVG path writes them: how far a place is from one.

/** Corners of a line that is cut into pieces: x, y, x, y, ... of each. */
export type Pieces = readonly Float64Array[];

const COMMAND = /([MmLlZz])([^MmLlZz]*)/g;
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;

/** The pieces of a path of straight lines with absolute places, as d3 writes them; of another path null. */
export function piecesOf(d: string): Pieces | null {
  if (/[^MLZ\d\s.,eE+-]/.test(d)) {
    return null;
  }
  const pieces: number[][] = [];
  for (const [, command, places] of d.matchAll(COMMAND)) {
    if (command === "M") {
      pieces.push([]);
    }
    // There may be tens of thousands of numbers, too many for the arguments of one call.
    for (const number of places?.match(NUMBER) ?? []) {
      pieces.at(-1)?.push(Number(number));
    }
  }
  return pieces.map((piece) => Float64Array.from(piece));
}

/** The squared distance from a point to the line; Infinity for an empty line. */
export function squaredDistance(pieces: Pieces, x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const piece of pieces) {
    const last = piece.length - 2;
    for (let i = 0; i <= last; i += 2) {
      const fromX = piece[i] as number;
      const fromY = piece[i + 1] as number;
      const alongX = i < last ? (piece[i + 2] as number) - fromX : 0;
      const alongY = i < last ? (piece[i + 3] as number) - fromY : 0;
      const length = alongX * alongX + alongY * alongY;
      const share = length > 0 ? ((x - fromX) * alongX + (y - fromY) * alongY) / length : 0;
      const part = Math.min(1, Math.max(0, share));
      const awayX = fromX + part * alongX - x;
      const awayY = fromY + part * alongY - y;
      least = Math.min(least, awayX * awayX + awayY * awayY);
    }
  }
  return least;
}
