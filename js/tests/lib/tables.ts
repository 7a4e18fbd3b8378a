// Compares a translation with the English table.

/** A value for any parameter of a text's function, by its index; it can be recognized in the result. */
function sentinel(place: number): string {
  return `<${place}>`;
}

/** The indices of the arguments that occur in a text, when a table's function gets numbers, texts or lists. */
function argumentsIn(entry: (...values: never[]) => unknown): string {
  const found = new Set<number>();
  for (const make of [sentinel, (place: number) => 1000 + place, (place: number) => [sentinel(place)], () => true]) {
    for (let place = 0; place < entry.length; place += 1) {
      const values = Array.from({ length: entry.length }, (_, i) => (i === place ? make(i) : sentinel(i)));
      try {
        const text = String(entry(...(values as never[])));
        for (let i = 0; i < entry.length; i += 1) {
          if (text.includes(sentinel(i)) || text.includes(String(1000 + i))) {
            found.add(i);
          }
        }
      } catch {
        // This parameter has another type.
      }
    }
  }
  return [...found].sort().join();
}

/** The paths at which a translation lacks a text, has one too many, or omits an argument. */
export function differences(english: unknown, translated: unknown, path = ""): string[] {
  if (typeof english === "function" && typeof translated === "function") {
    const [own, theirs] = [english, translated] as ((...values: never[]) => unknown)[];
    return own !== undefined && theirs !== undefined && argumentsIn(own) === argumentsIn(theirs) ? [] : [path];
  }
  if (typeof english !== typeof translated || (typeof english === "string") !== (typeof translated === "string")) {
    return [path];
  }
  if (typeof english !== "object" || english === null || translated === null) {
    return [];
  }
  const [own, theirs] = [english as Record<string, unknown>, translated as Record<string, unknown>];
  return [...new Set([...Object.keys(own), ...Object.keys(theirs)])].flatMap((key) =>
    differences(own[key], theirs[key], path === "" ? key : `${path}.${key}`),
  );
}

/** The paths of texts that are equal in both tables and contain a word besides their arguments. */
export function unchanged(english: unknown, translated: unknown, path: string): string[] {
  if (typeof english === "object" && english !== null) {
    return Object.entries(english).flatMap(([key, entry]) =>
      unchanged(entry, (translated as Record<string, unknown>)[key], `${path}.${key}`),
    );
  }
  const theirs = writtenBy(translated);
  return writtenBy(english).some((text, i) => text === theirs[i] && /[a-z]{2}/i.test(text)) ? [path] : [];
}

/** A text, or the results of a function for different arguments, without these arguments. */
function writtenBy(entry: unknown): string[] {
  if (typeof entry !== "function") {
    return [String(entry)];
  }
  const places = [...Array(entry.length).keys()];
  return [sentinel, (place: number) => 1000 + place, (place: number) => [sentinel(place)]].map((make) => {
    try {
      return String(entry(...places.map((place) => make(place)))).replace(/<\d>/g, "");
    } catch {
      // The function expects other arguments.
      return "";
    }
  });
}
