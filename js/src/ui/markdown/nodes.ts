// Markdown from anywhere as nodes that run nothing, request nothing and bring no style.

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { useView, type View } from "../view";
import { MarkdownRenderer, type Rendered } from "./renderer";
import { safeFragment } from "./sanitize";

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
