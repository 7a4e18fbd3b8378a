// A line in pieces: from a row to the one with which the next piece begins.

/** The pieces of the rows [from, to); `breaks` are rows with which pieces begin, ascending. */
export function piecesOf(breaks: ArrayLike<number>, from: number, to: number): [number, number][] {
  const found: [number, number][] = [];
  let begin = from;
  for (let i = 0; i < breaks.length && (breaks[i] as number) < to; i += 1) {
    const end = breaks[i] as number;
    if (end > begin) {
      found.push([begin, end]);
      begin = end;
    }
  }
  if (begin < to) {
    found.push([begin, to]);
  }
  return found;
}
