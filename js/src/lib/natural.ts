// The natural order of runs and tags: numbers inside names count as numbers. Twin of tbwidget/logs/natural.py, which defines
// decimals.

const CHUNKS =
  /(?:(?:(?<![A-Za-z.])[0-9]+|(?<!\.)0)\.[0-9]+(?![0-9]|\.[0-9A-Za-z])|[0-9]+)(?:e-[0-9]{1,3}(?![0-9A-Za-z]))?|[^0-9]+/g;

/** Compares two names: step2 before step10, lr=0.001 before lr=0.01. Names with equal numbers compare as texts. */
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
  if (a === b) {
    return 0;
  }
  const [numberA, numberB] = [isNumber(a), isNumber(b)];
  if (numberA !== numberB) {
    return numberA ? -1 : 1;
  }
  if (!numberA) {
    return compareText(a, b);
  }
  const [[powerA, digitsA], [powerB, digitsB]] = [parse(a), parse(b)];
  return powerA === powerB ? compareText(digitsA, digitsB) : powerA - powerB;
}

/** The power of ten of a number's first digit that is not 0, and the digits from there on. */
function parse(number: string): [power: number, digits: string] {
  const [mantissa = "", exponent = "0"] = number.split("e-");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const power = digits === "" ? Number.NEGATIVE_INFINITY : digits.length - fraction.length - Number(exponent);
  return [power, digits.replace(/0+$/, "")];
}

function isNumber(chunk: string): boolean {
  return chunk >= "0" && chunk < ":";
}

function compareText(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}
