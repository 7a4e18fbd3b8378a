// Keeps the marks in the header of a card as wide as the title and the value leave room for.

/** CSS pixels of a mark that is shrunk to a dot. */
const GLYPH_WIDTH_PX = 14;

/** CSS pixels of a header from which on its buttons are words, not icons. */
const MIN_WORDS_WIDTH_PX = 400;

/** Marks of problems with the value of the card. */
const TELLING = ".tbwidget-not-finite, .tbwidget-note, .tbwidget-cut-runs";

/** Marks that have a shorter text of their own. */
const SHORTENED = ".tbwidget-cut-runs";

/**
 * Shrinks marks until the rest have room beside the name and the value of the card: the last ones first, and those that say
 * what is wrong after the others. Where the name or the value is still cut, the dots are stacked, then the value loses its
 * word, then it has to go.
 */
function shrink(marks: HTMLElement): void {
  const all = [...marks.children] as HTMLElement[];
  const header = marks.parentElement as HTMLElement;
  header.toggleAttribute("data-icons", header.clientWidth < MIN_WORDS_WIDTH_PX);
  delete header.dataset.tight;
  delete header.dataset.valueless;
  delete marks.dataset.shrunk;
  delete marks.dataset.stacked;
  for (const mark of all) {
    delete mark.dataset.glyph;
    delete mark.dataset.short;
  }
  // Without glyphs, the marks get the room that the name and the value leave.
  const excess = () => marks.scrollWidth - marks.clientWidth;
  const [telling, others] = [all.filter((mark) => mark.matches(TELLING)), all.filter((mark) => !mark.matches(TELLING))];
  let left = toGlyphs(others, excess());
  if (left > 0) {
    for (const mark of all.filter((one) => one.matches(SHORTENED))) {
      mark.dataset.short = "";
    }
    left = excess();
  }
  left = toGlyphs(
    telling.filter((mark) => !mark.matches(SHORTENED)),
    left,
  );
  if (left > 0) {
    for (const mark of all.filter((one) => one.matches(SHORTENED))) {
      mark.dataset.short = "least";
    }
  }
  for (const mark of all.filter((one) => one.dataset.glyph === undefined)) {
    mark.removeAttribute("tabindex");
  }
  if (all.some((mark) => mark.dataset.glyph !== undefined || mark.dataset.short !== undefined)) {
    marks.dataset.shrunk = "";
  }
  const title = header.querySelector(":scope > h4");
  const name = title?.querySelector(".tbwidget-elided") ?? title;
  const value = header.querySelector<HTMLElement>(":scope > .tbwidget-card-value");
  const isCut = () =>
    (value !== null && value.scrollHeight > value.clientHeight) ||
    (name != null && name.scrollWidth > name.clientWidth);
  for (const [element, state] of [
    [marks, "stacked"],
    [header, "tight"],
    [header, "valueless"],
  ] as const) {
    if (isCut()) {
      element.dataset[state] = "";
    }
  }
}

/** Shrinks the last of these marks; returns how many CSS pixels are still missing of those that were. */
function toGlyphs(marks: readonly HTMLElement[], missing: number): number {
  const widths = marks.map((mark) => mark.offsetWidth);
  let left = missing;
  for (let i = marks.length - 1; i >= 0; i -= 1) {
    const [mark, width] = [marks[i] as HTMLElement, widths[i] as number];
    if (left > 0 && width > GLYPH_WIDTH_PX) {
      left -= width - GLYPH_WIDTH_PX;
      mark.dataset.glyph = mark.textContent;
      mark.tabIndex = 0;
    }
  }
  return left;
}

/** Fits marks whenever one of them changes, or the room for them; returns what ends that. */
export function keepFitted(marks: HTMLElement): () => void {
  shrink(marks);
  let frame = 0;
  const later = () => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => shrink(marks));
  };
  const name = marks.parentElement?.querySelector(":scope > h4");
  // The name takes the remaining room: its width changes with the card and its neighbors.
  const resized = new ResizeObserver(later);
  if (name != null) {
    resized.observe(name);
  }
  const changed = new MutationObserver(() => shrink(marks));
  changed.observe(marks, { childList: true, characterData: true, subtree: true });
  return () => {
    cancelAnimationFrame(frame);
    resized.disconnect();
    changed.disconnect();
  };
}
