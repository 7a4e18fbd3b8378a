// The natural order of runs and tags: numbers inside names count as numbers. Twin of tbwidget/logs/natural.py.

const CHUNKS = /[0-9]+|[^0-9]+/g;

/** Compares two names: step2 before step10. Names that only differ in leading zeros compare as texts. */
export function compareNatural(a: string, b: string): number {
  const left = a.match(CHUNKS) ?? [];
  const right = b.match(CHUNKS) ?? [];
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    const order = compareChunks(left[i] ?? "", right[i] ?? "");
    if (order !== 0) {
      return order;
    }
  }
  return left.length - right.length || compareText(a, b);
}

function compareChunks(a: string, b: string): number {
  const [numberA, numberB] = [isDigits(a), isDigits(b)];
  if (numberA !== numberB) {
    return numberA ? -1 : 1;
  }
  if (!numberA) {
    return compareText(a, b);
  }
  const [digitsA, digitsB] = [a.replace(/^0+/, ""), b.replace(/^0+/, "")];
  return digitsA.length - digitsB.length || compareText(digitsA, digitsB);
}

function isDigits(chunk: string): boolean {
  return chunk >= "0" && chunk < ":";
}

function compareText(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}
