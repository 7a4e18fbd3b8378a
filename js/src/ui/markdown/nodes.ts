// Markdown from anywhere as nodes that run nothing, request nothing and bring no style.

import { markdownHtml } from "./markdown";
import { safeFragment } from "./sanitize";

/** Each text as an element; null where that takes too long, or cannot be made safe. */
export function markdownNodes(texts: readonly string[]): HTMLElement[] | null {
  try {
    const html = markdownHtml(texts);
    return html && safeNodes(html);
  } catch {
    return null;
  }
}

/** Many small ones are made safe at once, each within an element of its own. */
function safeNodes(html: readonly string[]): HTMLElement[] {
  const parts = safeFragment(html.map((one) => `<blockquote>${one}</blockquote>`).join("")).children;
  if (parts.length !== html.length) {
    throw new Error("Markdown became HTML that does not close its elements");
  }
  return [...parts].map((part) => {
    const element = document.createElement("div");
    element.className = "tbwidget-markdown";
    element.append(...part.childNodes);
    return element;
  });
}
