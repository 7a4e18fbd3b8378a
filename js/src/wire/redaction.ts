// Keeps log directories and the name of the machine out of saved pages. Twin of tbwidget/wire/redaction.py.

/** A text to be replaced, mostly a directory, and its replacement. */
export type Place = readonly [place: string, shown: string];

/** Writers put the name of their machine into the name of a file, after the time. */
const HOST = /(tfevents\.\d+)\.[^\s/'",;]+/g;

/** A value of JSON with each text in it redacted. */
export function redactedValue(value: unknown, redacted: (text: string) => string): unknown {
  if (typeof value === "string") {
    return redacted(value);
  }
  if (Array.isArray(value)) {
    return value.map((one) => redactedValue(one, redacted));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, redactedValue(held, redacted)]));
}

/** Returns a function that redacts a text. `places` come from the kernel, the longest first. */
export function redaction(places: readonly Place[]): (text: string) => string {
  const shown = new Map(places);
  const ends = "(?![\\p{L}\\p{N}_-])";
  const alternatives = places.map(([place]) => place.replace(/[\^$\\.*+?()[\]{}|/]/g, "\\$&") + ends);
  const pattern = new RegExp(alternatives.join("|") || "(?!)", "gu");
  return (text) => text.replace(pattern, (place) => shown.get(place) ?? "").replace(HOST, "$1");
}
