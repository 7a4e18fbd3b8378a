// Markdown from anywhere as nodes that run nothing, request nothing and bring no style.

import { useSignal } from "@preact/signals";
import DOMPurify, { type Config } from "dompurify";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { useView, type View } from "../view";
import { MarkdownRenderer, type Rendered } from "./renderer";

const renderers = new WeakMap<View, MarkdownRenderer>();

function rendererOf(view: View): MarkdownRenderer {
  let found = renderers.get(view);
  if (found === undefined) {
    found = new MarkdownRenderer();
    renderers.set(view, found);
  }
  return found;
}

/**
 * The values of a text as elements while the component is mounted; null where they are shown as they were written, or
 * `texts` is null; undefined while they are being rendered. The same array is the same text.
 */
export function useMarkdown(texts: readonly string[] | null): readonly HTMLElement[] | null | undefined {
  const renderer = rendererOf(useView());
  const job = useMemo(() => {
    const end = new AbortController();
    return { end, found: texts && renderer.render(texts, end.signal) };
  }, [texts, renderer]);
  const arrived = useSignal<{ readonly job: object; readonly rendered: Rendered } | null>(null);
  useLayoutEffect(() => renderer.attach(), [renderer]);
  useLayoutEffect(() => {
    if (job.found instanceof Promise) {
      const take = (rendered: Rendered) => {
        if (!job.end.signal.aborted) {
          arrived.value = { job, rendered };
        }
      };
      job.found.then(take, () => take(null));
    }
    return () => job.end.abort();
  }, [job, arrived]);
  const later = arrived.value?.job === job ? arrived.value.rendered : undefined;
  const rendered = job.found instanceof Promise ? later : job.found;
  return useMemo(() => rendered && nodesOf(rendered), [rendered]);
}

/** The HTML of each text as an element; null where it cannot be made safe. */
function nodesOf(rendered: readonly string[]): readonly HTMLElement[] | null {
  try {
    return safeNodes(rendered);
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

/** As TensorBoard has it, but for images: showing one would request it. */
const TAGS = "a blockquote br code em h1 h2 h3 h4 h5 h6 hr li ol p pre strong table tbody td th thead tr ul".split(" ");

const ADDRESS = /^(?:https?|mailto):/i;

const OPTIONS: Config & { RETURN_DOM_FRAGMENT: true } = {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ["align", "href", "title"],
  ALLOWED_URI_REGEXP: ADDRESS,
  // DOMPurify checks the values of other attributes as addresses.
  ADD_URI_SAFE_ATTR: ["align"],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/** Throws where the page has no way to do it. */
export function safeFragment(html: string): DocumentFragment {
  if (!DOMPurify.isSupported) {
    throw new Error("HTML cannot be made safe here");
  }
  // A document that is parsed like this runs and requests nothing.
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const image of body.querySelectorAll("img")) {
    const address = image.getAttribute("src") ?? "";
    image.replaceWith([image.alt, address && `(${address})`].filter((part) => part !== "").join(" "));
  }
  const fragment = DOMPurify.sanitize(body.innerHTML, OPTIONS);
  for (const link of fragment.querySelectorAll("a")) {
    if (ADDRESS.test(link.getAttribute("href") ?? "")) {
      link.setAttribute("target", "_blank");
      link.setAttribute("rel", "noopener noreferrer");
    } else {
      // An empty one would lead to the notebook itself.
      link.removeAttribute("href");
    }
  }
  return fragment;
}
