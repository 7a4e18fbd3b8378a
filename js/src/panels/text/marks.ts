// The search in texts: finds matches in a text, and marks them on the page.

import { escapedForPattern } from "../../lib/namematcher";

/** Hits that are marked in one text. */
const MAX_MARKS = 1_000;

/** Finds some words, upper and lower case alike; null for none. */
export function patternOf(words: string): RegExp | null {
  return words === "" ? null : new RegExp(escapedForPattern(words), "giu");
}

/** How often a pattern is found, up to a bound. */
export function countHits(text: string, pattern: RegExp): number {
  pattern.lastIndex = 0;
  let count = 0;
  while (count < MAX_MARKS && pattern.exec(text) !== null) {
    count += 1;
  }
  return count;
}

/** Marks hits within text nodes of an element, and links whose addresses have some; returns the marks. Removes those before. */
export function markHits(element: Element, pattern: RegExp | null): Element[] {
  for (const mark of element.querySelectorAll("mark")) {
    mark.replaceWith(...mark.childNodes);
  }
  element.normalize();
  const marks: Element[] = [];
  if (pattern === null) {
    return marks;
  }
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    nodes.push(node as Text);
  }
  for (const node of nodes) {
    let rest = node;
    let at = 0;
    for (const hit of node.data.matchAll(pattern)) {
      if (marks.length >= MAX_MARKS) {
        return marks;
      }
      const found = rest.splitText(hit.index - at);
      rest = found.splitText(hit[0].length);
      at = hit.index + hit[0].length;
      const mark = document.createElement("mark");
      found.replaceWith(mark);
      mark.append(found);
      marks.push(mark);
    }
  }
  for (const link of element.querySelectorAll("a")) {
    if (link.querySelector("mark") === null && hasHitInAddress(link, pattern)) {
      const mark = document.createElement("mark");
      mark.append(...link.childNodes);
      link.append(mark);
      marks.push(mark);
    }
  }
  return marks;
}

/** Matches an address as written, too: its characters beyond ASCII are escaped. */
function hasHitInAddress(link: Element, pattern: RegExp): boolean {
  const texts = [link.getAttribute("href") ?? "", link.getAttribute("title") ?? ""];
  try {
    texts.push(decodeURI(texts[0] as string));
  } catch {
    // Escapes of no text.
  }
  return texts.some((text) => countHits(text, pattern) > 0);
}
