// Marks beside the name of a card that there is no room for: they shrink to dots, which say the same where they are pointed at.

/** CSS pixels of a dot in the line of marks. */
const DOT_WIDTH_PX = 8;

/**
 * Shrinks the last marks to dots, one after the other, until the rest have room beside the name and the value of the card;
 * says in the header whether the name is still cut, or the value out of sight.
 */
function shrink(marks: HTMLElement): void {
  const all = [...marks.children] as HTMLElement[];
  const header = marks.parentElement as HTMLElement;
  delete header.dataset.tight;
  delete marks.dataset.dots;
  for (const mark of all) {
    delete mark.dataset.dot;
  }
  // Without dots, the marks get the room that the name and the value leave.
  let excess = marks.scrollWidth - marks.clientWidth;
  const widths = all.map((mark) => mark.offsetWidth);
  for (let i = all.length - 1; i >= 0; i -= 1) {
    const [mark, width] = [all[i] as HTMLElement, widths[i] as number];
    if (excess > 0 && width > DOT_WIDTH_PX) {
      excess -= width - DOT_WIDTH_PX;
      marks.dataset.dots = "";
      mark.dataset.dot = mark.textContent;
      mark.tabIndex = 0;
    } else {
      mark.removeAttribute("tabindex");
    }
  }
  const title = header.querySelector(":scope > h4");
  const name = title?.querySelector(".tbwidget-elided > span") ?? title;
  const value = header.querySelector<HTMLElement>(":scope > .tbwidget-card-value");
  const isOutOfSight = value !== null && value.scrollHeight > value.clientHeight;
  if (isOutOfSight || (name != null && name.scrollWidth > name.clientWidth)) {
    header.dataset.tight = "";
  }
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
  // The name takes all the room that is left: its width changes with that of the card and of all that is beside it.
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
