// Which way the text of a page runs.

export function isRightToLeft(element: Element | null): boolean {
  return element !== null && getComputedStyle(element).direction === "rtl";
}
