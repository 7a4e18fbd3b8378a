// What traits and memory may hold, understood; undefined where it is something else.

/** Steps, seconds since the first one of a run, or seconds since the epoch. */
export type Along = "step" | "relative" | "wall";

export type HistogramMode = "offset" | "overlay" | "heatmap";

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function textOrNull(value: unknown): string | null | undefined {
  return value === null ? null : text(value);
}

export function flag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

/** From 0 to 0.999. */
export function fraction(value: unknown): number | undefined {
  return typeof value === "number" && value >= 0 && value <= 0.999 ? value : undefined;
}

export function positive(value: unknown): number | undefined {
  return typeof value === "number" && value > 0 && Number.isFinite(value) ? value : undefined;
}

/** Each name once. */
export function names(value: unknown): string[] | undefined {
  return Array.isArray(value) ? [...new Set(value.map(String))] : undefined;
}

export function nameSet(value: unknown): ReadonlySet<string> | undefined {
  return Array.isArray(value) ? new Set(value.map(String)) : undefined;
}

export function xAxis(value: unknown): Along | undefined {
  return value === "step" || value === "relative" || value === "wall" ? value : undefined;
}

export function histogramMode(value: unknown): HistogramMode | undefined {
  return value === "offset" || value === "overlay" || value === "heatmap" ? value : undefined;
}

export function wholeOrNull(value: unknown): number | null | undefined {
  return value === null || (typeof value === "number" && Number.isInteger(value)) ? value : undefined;
}

export function stepRange(value: unknown): readonly [number, number] | null | undefined {
  if (value === null) {
    return null;
  }
  const [first, last] = Array.isArray(value) ? value : [];
  return typeof first === "number" && typeof last === "number" && first <= last ? [first, last] : undefined;
}

/** Runs and their colours. */
export function colours(value: unknown): ReadonlyMap<string, string> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return undefined;
  }
  // A map: names of runs are anything, "constructor" too.
  return new Map(Object.entries(value).filter(([, colour]) => /^#[0-9a-f]{6}$/i.test(String(colour))));
}

/** How often something happened, by name. */
export function counts(value: unknown): ReadonlyMap<string, number> {
  const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}
