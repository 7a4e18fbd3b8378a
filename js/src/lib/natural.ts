// The natural order of runs and tags: numbers inside names count as numbers. Twin of tbwidget/logs/natural.py, which defines
// decimals, and says why a key is one text.

const NUMBERS =
  /(?:(?:(?<![A-Za-z.])[0-9]+|(?<!\.)0)\.[0-9]+(?![0-9]|\.[0-9A-Za-z])|[0-9]+)(?:e-[0-9]{1,3}(?![0-9A-Za-z]))?/g;

/** Powers of ten, from the least to the greatest, that are one character of a key; and digits of all others. */
const [MIN_POWER, MAX_POWER, POWER_DIGITS] = [-100, 140, 10];

/** As many keys as a large directory has names: each update sorts all of them. */
const MAX_KEYS = 1 << 17;
const keys = new Map<string, string>();

/** Compares two names: step2 before step10, lr=0.001 before lr=0.01. Names with equal numbers compare as texts. */
export function compareNatural(a: string, b: string): number {
  const [left, right] = [naturalKey(a), naturalKey(b)];
  if (left === right) {
    return 0;
  }
  return left < right ? -1 : 1;
}

function naturalKey(name: string): string {
  let key = keys.get(name);
  if (key === undefined) {
    if (keys.size >= MAX_KEYS) {
      keys.clear();
    }
    // "\0" ends a text, and a number, as it comes before whatever else may follow there.
    const text = name.replaceAll("\u0001", "\u0001\u0001").replaceAll("\0", "\u0001\0");
    key = `${text.replace(NUMBERS, (number) => `\0${numberKey(number)}\0`)}\0\0${name}`;
    keys.set(name, key);
  }
  return key;
}

/** The power of ten of its first digit that is not 0, then the digits from there on. */
function numberKey(number: string): string {
  const [mantissa = "", exponent = "0"] = number.split("e-");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  if (digits === "") {
    return "\u0001";
  }
  const power = digits.length - fraction.length - Number(exponent);
  const shown = digits.replace(/0+$/, "");
  if (power >= MIN_POWER && power <= MAX_POWER) {
    return String.fromCharCode(power - MIN_POWER + 3) + shown;
  }
  const place = String(power < 0 ? 10 ** POWER_DIGITS + power : power).padStart(POWER_DIGITS, "0");
  return (power < 0 ? "\u0002" : "\u00ff") + place + shown;
}
