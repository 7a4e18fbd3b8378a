// The host of a dashboard that was saved as a page of its own: what a notebook's front end does, for one widget without a
// kernel. The page holds it as an inline script; all else of it is one block of compressed data. Twin of tbwidget/export/page.py.

import { LocalModel } from "./wire/localmodel";
import type { InitializeProps, RenderProps } from "./wire/model";

interface Content {
  /** The module of the widget. */
  readonly script: string;
  /** Traits of the widget, by name. */
  readonly state: Readonly<Record<string, unknown>>;
}

interface Widget {
  initialize(props: InitializeProps): void;
  render(props: RenderProps): void;
}

/** By the language of the page: this script is small, and has nothing of the interface. */
const FAILED = new Map([
  [
    "en",
    (reason: string) =>
      `This page cannot be shown. It needs a browser from 2023 or later, with JavaScript allowed. (${reason})`,
  ],
  [
    "ko",
    (reason: string) =>
      `이 페이지를 표시할 수 없습니다. JavaScript를 허용한 2023년 이후의 브라우저가 필요합니다. (${reason})`,
  ],
]);

/** CSS pixels around the dashboard, in both directions; as the page's styles have it. */
const MARGINS = 24;
const MIN_HEIGHT = 200;

async function contentOf(element: HTMLElement): Promise<Content> {
  const bytes = Uint8Array.from(atob(element.textContent ?? ""), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as Content;
}

async function load(script: string): Promise<Widget> {
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  try {
    return ((await import(address)) as { readonly default: Widget }).default;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Tell the page around a frame how high the frame needs to be: that page is a notebook, made by tbwidget/export/offline.py. */
function tellHeight(el: HTMLElement): void {
  const tell = () => window.parent.postMessage({ tbwidgetHeight: el.offsetHeight + MARGINS }, "*");
  new ResizeObserver(tell).observe(el);
}

async function show(data: HTMLElement, el: HTMLElement): Promise<void> {
  const { script, state } = await contentOf(data);
  data.remove();
  const model = new LocalModel(state);
  if (state._framed === true) {
    tellHeight(el);
  } else {
    // The dashboard fills the window, whatever height it had in a notebook.
    const fill = () => model.set("height", Math.max(MIN_HEIGHT, window.innerHeight - MARGINS));
    fill();
    window.addEventListener("resize", fill);
  }
  const widget = await load(script);
  const { signal } = new AbortController();
  widget.initialize({ model, signal });
  el.replaceChildren();
  widget.render({ model, signal, el });
}

// A page of no language has that of its reader.
document.documentElement.lang ||= navigator.language;

const [data, el] = ["tbwidget-data", "tbwidget-page"].map((id) => document.getElementById(id));
if (data && el) {
  show(data, el).catch((error: unknown) => {
    el.textContent =
      (FAILED.get(document.documentElement.lang.split("-")[0] ?? "") ?? FAILED.get("en"))?.(String(error)) ?? "";
  });
}
