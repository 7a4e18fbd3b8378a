// Renders a dashboard among a notebook's outputs. The widget manager does, where it has the widget: this page has received
// its comm_open, or the kernel is idle and can be asked for it. Of a kernel whose cell runs, the dashboard is drawn from its
// messages alone, as soon as the first one comes. Until then, and where there is no such kernel any more, the output's own
// picture is shown.

import { labStrings } from "../lib/labstrings";
import { isRow, type Row } from "../wire/columns";
import { PROTOCOL } from "../wire/protocol";
import type { Comms } from "./comms";
import type { Dashboards, Shown } from "./dashboards";
import type { Lumino, LuminoWidget, Message, MimeModel, RendererFactory, RenderMime } from "./host";

/** The MIME type of a dashboard in an output. Keep in step with tbwidget/export/labextension.py. */
export const MIME = "application/vnd.tbwidget.dashboard+json";

const VIEW = "application/vnd.jupyter.widget-view+json";
const PICTURE = "image/png";

/** Milliseconds between two attempts to find the widget manager's renderer, and how many there are. */
const POLL_INTERVAL = 50;
const MOST_POLLS = 100;

export interface Page {
  readonly lumino: Lumino;
  readonly comms: Comms;
  readonly dashboards: Dashboards;
  readonly rendermime: RenderMime;
}

export function dashboardFactory(page: Page): RendererFactory {
  const Renderer = rendererClass(page);
  return { safe: false, mimeTypes: [MIME], createRenderer: (options) => new Renderer(options) };
}

function rendererClass({ lumino, comms, dashboards, rendermime }: Page) {
  // Of no notebook yet: the manager puts its own in place of it when the notebook's session is ready.
  const placeholder = rendermime.getFactory(VIEW);

  return class DashboardRenderer extends lumino.Panel {
    readonly #options: { readonly mimeType: string };
    #until = new AbortController();
    #id: string | null = null;
    #still: LuminoWidget | null = null;

    constructor(options: { readonly mimeType: string }) {
      super();
      this.#options = options;
    }

    async renderModel(mime: MimeModel): Promise<void> {
      const shown = parse(mime.data[MIME]);
      if (shown !== null && shown.id === this.#id) {
        return;
      }
      this.show();
      this.#until.abort();
      this.#until = new AbortController();
      this.#still = null;
      for (const child of [...this.children()]) {
        child.dispose();
      }
      this.#id = shown?.id ?? null;
      const view = mime.data[VIEW];
      if (isRow(view) && view.model_id === "") {
        this.hide();
      } else if (shown === null || shown.protocol !== PROTOCOL || comms.wasOpened(shown.id)) {
        await this.#renderByManager(mime, this.#until.signal);
      } else {
        this.#restore(shown, mime);
      }
    }

    override dispose(): void {
      this.#until.abort();
      super.dispose();
    }

    /** The page was loaded after the dashboard was made. */
    #restore(shown: Shown, mime: MimeModel): void {
      const { signal } = this.#until;
      const waiting = linkedController(signal);
      this.#showWaiting(mime);
      const onMessage = (message: Message) => {
        if (mayCellRun(message)) {
          waiting.abort();
          void this.#draw(shown, message, mime, signal);
        }
      };
      comms.listen(shown.id, onMessage, waiting.signal);
      const onAnswer = () => {
        if (!waiting.signal.aborted) {
          waiting.abort();
          void this.#renderByManager(mime, signal);
        }
      };
      comms.session.ready.then(() => comms.session.session?.kernel?.info).then(onAnswer, onAnswer);
    }

    async #renderByManager(mime: MimeModel, signal: AbortSignal): Promise<void> {
      const view = mime.data[VIEW];
      const factory = isRow(view) ? await managersFactory(rendermime, placeholder, comms, signal) : undefined;
      if (signal.aborted) {
        return;
      }
      if (factory === undefined || !isRow(view)) {
        this.#showHeld(mime);
        return;
      }
      const inner = factory.createRenderer({ ...this.#options, mimeType: VIEW });
      const hasView = () => inner.node.firstElementChild !== null;
      const follow = () => {
        if (hasView()) {
          this.#removeStill();
          inner.show();
        } else if (view.model_id === "") {
          // The widget was closed: the manager's renderer has hidden itself, and nothing of the output stays.
          observer.disconnect();
          this.hide();
        }
      };
      const observer = new MutationObserver(follow);
      observer.observe(inner.node, { childList: true });
      signal.addEventListener("abort", () => observer.disconnect(), { once: true });
      if (this.#still !== null) {
        inner.hide();
      }
      this.addWidget(inner);
      try {
        await inner.renderModel(mime);
      } catch {
        // As if it had no such widget.
      }
      if (signal.aborted || hasView()) {
        return;
      }
      if (view.model_id === "") {
        this.hide();
      } else if (this.#showHeld(mime)) {
        inner.hide();
      } else {
        inner.show();
      }
    }

    /** Draws the dashboard from the kernel's messages; the picture goes when there is something to see. */
    async #draw(shown: Shown, first: Message, mime: MimeModel, signal: AbortSignal): Promise<void> {
      const el = document.createElement("div");
      const holder = new lumino.Widget({ node: el });
      const drawn = linkedController(signal);
      const closed = (message: Message) => {
        if (message.header.msg_type === "comm_close") {
          // As the widget manager does, so that what is saved says it.
          const view = mime.data[VIEW];
          if (isRow(view)) {
            view.model_id = "";
          }
          this.#until.abort();
          this.hide();
        }
      };
      comms.listen(shown.id, closed, signal);
      const follow = () => {
        const state = el.querySelector<HTMLElement>(".tbwidget")?.dataset.state;
        if (state !== undefined && state !== "reading") {
          observer.disconnect();
          this.#removeStill();
          el.removeAttribute("style");
        }
      };
      const observer = new MutationObserver(follow);
      drawn.signal.addEventListener("abort", () => observer.disconnect(), { once: true });
      if (this.#still !== null) {
        // It has its size, and draws what is in sight.
        Object.assign(el.style, { position: "absolute", insetInline: "0", top: "0", visibility: "hidden" });
        Object.assign(this.node.style, { position: "relative" });
        observer.observe(el, { subtree: true, childList: true, attributeFilter: ["data-state"] });
      }
      this.addWidget(holder);
      try {
        await dashboards.render(shown, first, el, drawn.signal);
      } catch {
        // The files are gone from the server: an update of the package, perhaps.
        drawn.abort();
        if (!signal.aborted) {
          holder.dispose();
          await this.#renderByManager(mime, signal);
        }
      }
    }

    /** Says that the kernel's messages are waited for; greyed, what the output holds of the dashboard. */
    #showWaiting(mime: MimeModel): void {
      const image = imageOf(mime);
      if (image !== null) {
        image.style.filter += " grayscale(1)";
        image.style.opacity = "0.6";
      }
      this.#showStill(image === null ? labStrings.connecting : labStrings.connectingStill, image);
    }

    /** Shows the picture that the output holds, or else its text; returns whether it holds one of them. */
    #showHeld(mime: MimeModel): boolean {
      const image = imageOf(mime);
      const held = image ?? textOf(mime);
      if (held === null) {
        this.#removeStill();
      } else {
        this.#showStill(image === null ? labStrings.text : labStrings.still, held);
      }
      return held !== null;
    }

    #showStill(words: string, held: HTMLElement | null): void {
      this.#removeStill();
      const caption = document.createElement("figcaption");
      caption.textContent = words;
      Object.assign(caption.style, { padding: "4px 0", color: "var(--jp-ui-font-color2, #616161)" });
      const node = document.createElement("figure");
      Object.assign(node.style, { margin: "0", font: "var(--jp-ui-font-size1, 13px) var(--jp-ui-font-family)" });
      node.append(caption, ...(held === null ? [] : [held]));
      this.#still = new lumino.Widget({ node });
      this.addWidget(this.#still);
    }

    #removeStill(): void {
      this.#still?.dispose();
      this.#still = null;
    }
  };
}

/** The picture that an output holds. */
function imageOf({ data }: MimeModel): HTMLElement | null {
  const encoded = data[PICTURE];
  if (typeof encoded !== "string") {
    return null;
  }
  const image = document.createElement("img");
  image.src = `data:${PICTURE};base64,${encoded.replaceAll(/\s/g, "")}`;
  image.alt = String(data["text/plain"] ?? labStrings.picture);
  image.style.maxWidth = "100%";
  if (document.body.dataset.jpThemeLight === "false") {
    // It is drawn on white paper.
    image.style.filter = "invert(0.9) hue-rotate(180deg)";
  }
  return image;
}

/** The text that an output holds. */
function textOf({ data }: MimeModel): HTMLElement | null {
  const text = data["text/plain"];
  if (typeof text !== "string" || text === "") {
    return null;
  }
  const node = document.createElement("pre");
  node.textContent = text;
  node.style.whiteSpace = "pre-wrap";
  return node;
}

/** A controller that is aborted with the signal, or before. */
function linkedController(signal: AbortSignal): AbortController {
  const made = new AbortController();
  if (signal.aborted) {
    made.abort();
  }
  signal.addEventListener("abort", () => made.abort(), { once: true });
  return made;
}

/** The renderer of the widget manager of this notebook; one without a manager, or none, where there is no kernel. */
async function managersFactory(
  rendermime: RenderMime,
  placeholder: RendererFactory | undefined,
  comms: Comms,
  signal: AbortSignal,
): Promise<RendererFactory | undefined> {
  for (let poll = 0; poll < MOST_POLLS && !signal.aborted; poll++) {
    const factory = rendermime.getFactory(VIEW);
    if (factory !== undefined && factory !== placeholder) {
      return factory;
    }
    await comms.session.ready.catch(() => undefined);
    if (!comms.session.session?.kernel) {
      return undefined;
    }
    await new Promise((done) => setTimeout(done, POLL_INTERVAL));
  }
  return undefined;
}

function parse(data: unknown): Shown | null {
  if (!isRow(data) || typeof data.model_id !== "string" || data.model_id === "" || typeof data.protocol !== "number") {
    return null;
  }
  const state: Row = isRow(data.state) ? data.state : {};
  return { id: data.model_id, protocol: data.protocol, state };
}

/** Whether a message of a dashboard comes while a cell runs, or may do so: then the kernel cannot be asked. */
function mayCellRun({ content: { data } }: Message): boolean {
  const message = isRow(data) && data.method === "custom" ? data.content : undefined;
  return isRow(message) && isRow(message.status) && message.status.cell !== false;
}
