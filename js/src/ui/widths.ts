// The width of a dashboard, in three classes that decide its layout, and the direction of the page's text.

/** Below this width, in CSS pixels, the list of runs lies above the cards, and opens by a click. */
const NARROW_PX = 560;

/** From this width on, two cards fit beside the list of runs. */
const WIDE_PX = 760;

export type WidthClass = "narrow" | "medium" | "wide";

export function widthClassOf(width: number): WidthClass {
  return width < NARROW_PX ? "narrow" : width < WIDE_PX ? "medium" : "wide";
}

/**
 * Whether runs are listed before the user opens the list. A single one is named in the header, and costs no column, unless
 * the user has chosen columns.
 */
export function listsRuns(runs: readonly string[], width: WidthClass, hasColumns = false): boolean {
  return width !== "narrow" && runs.length > (hasColumns ? 0 : 1);
}

export function isRightToLeft(element: Element | null): boolean {
  return element !== null && getComputedStyle(element).direction === "rtl";
}
