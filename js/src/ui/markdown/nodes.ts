// Markdown from anywhere as nodes that run nothing, request nothing and bring no style.

import { useSignal } from "@preact/signals";
import type { Config } from "dompurify";
import DOMPurify from "dompurify";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { STARTERS, TimedWorker, type WorkerStarter } from "../../lib/workers";
import { useView, type View } from "../view";
import { charactersIn } from "./characters";
import { program, type Question } from "./program";
import "./markdown.css";

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
    setLevels(element);
    return element;
  });
}

/** Level of the heading of a card. */
const CARD_LEVEL = 4;

/** Gives headings the levels below the heading of the card, and leaves out none. */
function setLevels(element: HTMLElement): void {
  const around: string[] = [];
  for (const heading of element.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    while ((around.at(-1) ?? "") >= heading.localName) {
      around.pop();
    }
    around.push(heading.localName);
    heading.setAttribute("aria-level", `${CARD_LEVEL + around.length}`);
  }
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

// Renders Markdown in a worker, the only place where what takes forever can be ended; short texts at once, in the page.

/** The HTML of each text; null where they are shown as they were written. */
type Rendered = readonly string[] | null;

/** Milliseconds that all texts which are looked at may take together. */
export const MAX_TOTAL = 2_000;

/** Milliseconds in a worker that are not counted: beside a training, quick texts may take ten times as long. */
const FREE = 100;

/** Milliseconds, about, in which one element is made safe and laid out. */
const ELEMENT_COST = 0.05;

/** Characters of a text that is rendered at once; and milliseconds of all of them which are looked at. */
const AT_ONCE_CHARACTERS = 1_000;
const AT_ONCE_TOTAL = 100;

/** Characters of a text that is rendered in a page without workers. */
export const MAX_ALONE = 10_000;

/** Characters of texts and HTML that are remembered. */
const MAX_CACHED = 4_000_000;

const { html, limits, countElements } = program();

/** The renderer of one view. */
export class MarkdownRenderer {
  readonly #starters: readonly WorkerStarter[];
  #worker: TimedWorker | null = null;
  #users = 0;
  readonly #cache = new Map<string, Rendered>();
  #cached = 0;
  /** Milliseconds that visible texts have taken; the second counts texts that were rendered at once. */
  #spent = 0;
  #spentAtOnce = 0;

  constructor(starters: readonly WorkerStarter[] = STARTERS) {
    this.#starters = starters;
  }

  /** Keeps the worker until the last user has left: call what this returns. */
  attach(): () => void {
    this.#users += 1;
    return () => {
      this.#users -= 1;
      // Not at once: another text may be about to take its place.
      queueMicrotask(() => {
        if (this.#users === 0) {
          this.#worker?.close();
          this.#worker = null;
        }
      });
    };
  }

  /** Renders the values of one text, which is looked at until `until` aborts. */
  render(texts: readonly string[], until: AbortSignal): Rendered | Promise<Rendered> {
    const size = texts.reduce((sum, { length }) => sum + length, 0);
    if (size > limits.characters) {
      return null;
    }
    const key = JSON.stringify(texts);
    const held = this.#cache.get(key);
    if (held !== undefined) {
      this.#remember(key, held);
      return this.#shown(held, until);
    }
    if (this.#spent >= MAX_TOTAL) {
      return null;
    }
    if (size <= AT_ONCE_CHARACTERS && this.#spentAtOnce < AT_ONCE_TOTAL) {
      const { rendered, ms } = this.#renderHere(key, texts);
      this.#spentAtOnce += ms;
      until.addEventListener("abort", () => {
        this.#spentAtOnce -= ms;
      });
      return this.#shown(rendered, until);
    }
    return this.#ask(key, texts, size, until);
  }

  async #ask(key: string, texts: readonly string[], size: number, until: AbortSignal): Promise<Rendered> {
    this.#worker ??= new TimedWorker(() => `(${program})().serve(self)`, limits.deadline, this.#starters);
    const isWanted = () => !until.aborted && !this.#cache.has(key) && this.#spent < MAX_TOTAL;
    const found = await this.#worker.ask({ texts, characters: charactersIn(texts) } satisfies Question, isWanted);
    if (found === "unwanted") {
      return this.#shown(this.#cache.get(key) ?? null, until);
    }
    if (found === "unavailable") {
      if (size > MAX_ALONE || until.aborted || this.#spent >= MAX_TOTAL) {
        return null;
      }
      const { rendered, ms } = this.#renderHere(key, texts);
      this.#charge(ms, until);
      return this.#shown(rendered, until);
    }
    const ms = found === "ended" ? limits.deadline : found.ms;
    this.#charge(ms > FREE ? ms : 0, until);
    const rendered = found === "ended" ? null : (found.answer as Rendered);
    this.#remember(key, rendered);
    return this.#shown(rendered, until);
  }

  #renderHere(key: string, texts: readonly string[]): { readonly rendered: Rendered; readonly ms: number } {
    const begin = performance.now();
    const rendered = html({ texts, characters: charactersIn(texts) }, true);
    this.#remember(key, rendered);
    return { rendered, ms: performance.now() - begin };
  }

  /** Null where visible texts would have too many elements with this one. */
  #shown(rendered: Rendered, until: AbortSignal): Rendered {
    const cost = ELEMENT_COST * (rendered ?? []).reduce((sum, one) => sum + countElements(one), 0);
    if (this.#spent + cost > MAX_TOTAL) {
      return null;
    }
    this.#charge(cost, until);
    return rendered;
  }

  /** Counts the milliseconds that a text has taken for as long as it is looked at. */
  #charge(ms: number, until: AbortSignal): void {
    if (!until.aborted) {
      this.#spent += ms;
      until.addEventListener("abort", () => {
        this.#spent -= ms;
      });
    }
  }

  /** The text that was looked at longest ago makes room. */
  #remember(key: string, rendered: Rendered): void {
    const sizeOf = (text: string, found: Rendered) =>
      text.length + (found ?? []).reduce((sum, one) => sum + one.length, 0);
    const before = this.#cache.get(key);
    if (before !== undefined) {
      this.#cache.delete(key);
      this.#cached -= sizeOf(key, before);
    }
    this.#cache.set(key, rendered);
    this.#cached += sizeOf(key, rendered);
    for (const [oldest, found] of this.#cache) {
      if (this.#cached <= MAX_CACHED) {
        break;
      }
      this.#cache.delete(oldest);
      this.#cached -= sizeOf(oldest, found);
    }
  }
}
