// Renders a dashboard among a notebook's outputs. The widget manager does, where it has the widget: this page has received
// its comm_open, or the kernel is idle and can be asked for it. While a cell runs, the dashboard is drawn from the kernel's
// messages alone, as soon as the first one comes. Until then, and when that kernel has gone, the output's own picture is
// shown.

import { isRow, PROTOCOL, type Row } from "../wire/columns";
import { handOver } from "../wire/handover";
import type { LastView } from "../wire/lastview";
import { type Comms, mayCellRun } from "./comms";
import { type Dashboards, restored, type Shown } from "./dashboards";
import type { Lumino, LuminoWidget, Message, MimeModel, RendererFactory, RenderMime } from "./host";
import type { LastViewSaver } from "./lastviewsaver";
import { labTexts } from "./texts";

/** The MIME type of a dashboard in an output. Keep in step with tbwidget/export/bundle.py. */
export const MIME = "application/vnd.tbwidget.dashboard+json";

/** Styles of an element that is laid out over the one still shown, and then takes its place. */
const UNSEEN = { position: "absolute", insetInline: "0", top: "0", visibility: "hidden" };
const SEEN = { position: "", insetInline: "", top: "", visibility: "" };

/** Milliseconds that a chart is waited for where one is shown already. */
const MAX_WAIT_MS = 3000;

/**
 * Milliseconds after which a page marks an output as closed whose dashboard another page has closed: of pages that share
 * a notebook one does it, and the others then have it, while two that did it would leave two copies.
 */
const MIN_MARKED_MS = 1500;
const MAX_MARKED_MS = 4000;

/** A dashboard that shows a last view. */
const LAST_VIEW = ".tbwidget[data-last-view]";

/** Milliseconds that a notebook has to connect to a kernel before it counts as one without. */
const NO_KERNEL = 8000;

export interface Page {
  readonly lumino: Lumino;
  readonly comms: Comms;
  readonly dashboards: Dashboards;
  readonly rendermime: RenderMime;
  readonly lastViews: LastViewSaver;
  /** Key under which the last view of a dashboard is stored. */
  readonly keyOf: (id: string) => string;
}

/** A dashboard that is drawn here, without the widget manager. */
interface Drawn {
  end(): void;
}

export function dashboardFactory(page: Page): RendererFactory {
  const Renderer = rendererClass(page);
  return { safe: false, mimeTypes: [MIME], createRenderer: (options) => new Renderer(options) };
}

function rendererClass({ lumino, comms, dashboards, rendermime, lastViews, keyOf }: Page) {
  // It belongs to no notebook yet: the manager replaces it by its own when the notebook's session is ready.
  const placeholder = rendermime.getFactory(VIEW);

  return class DashboardRenderer extends lumino.Panel {
    readonly #options: { readonly mimeType: string };
    #until = new AbortController();
    #id: string | null = null;
    #still: LuminoWidget | null = null;
    #drawn: Drawn | null = null;
    /** The widget manager's view is shown. */
    #managed = false;

    constructor(options: { readonly mimeType: string }) {
      super();
      this.#options = options;
    }

    async renderModel(mime: MimeModel): Promise<void> {
      const shown = parse(mime.data[MIME]);
      const view = mime.data[VIEW];
      const isClosed = isRow(view) && view.model_id === "";
      if (shown !== null && shown.id === this.#id) {
        if (isClosed) {
          // Another page that shares the notebook may have marked it.
          this.#until.abort();
          this.hide();
        }
        return;
      }
      this.show();
      this.#until.abort();
      this.#until = new AbortController();
      this.#still = null;
      this.#drawn = null;
      this.#managed = false;
      for (const child of [...this.children()]) {
        child.dispose();
      }
      this.#id = shown?.id ?? null;
      if (shown?.protocol === PROTOCOL) {
        lastViews.watch(() => keyOf(shown.id), this.node, this.#until.signal);
      }
      if (shown !== null) {
        this.#hideOnceClosed(shown.id, mime, this.#until.signal);
      }
      if (isClosed) {
        this.hide();
      } else if (shown === null || comms.wasOpened(shown.id)) {
        await this.#renderByManager(mime, this.#until.signal);
      } else if (shown.protocol !== PROTOCOL) {
        await this.#renderOtherVersion(shown, mime, this.#until.signal);
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
      let inCell = false;
      const drawLastView = async (view: LastView | null) => {
        // There may be something newer by now.
        if (view === null || this.#drawn !== null || this.#managed || signal.aborted) {
          return false;
        }
        const drawn = await this.#draw(restored(shown, view), null, signal);
        if (!drawn && inCell) {
          void this.#renderByManager(mime, signal);
        }
        if (drawn && !inCell && this.node.querySelector(LAST_VIEW) === null && !signal.aborted) {
          // It cannot be read.
          this.#endDrawn();
          if (this.#still === null) {
            this.#showWaiting(mime);
          }
          return false;
        }
        return drawn;
      };
      // Where no kernel is chosen, the notebook's session is never ready.
      const noKernel = setTimeout(() => {
        if (!comms.session.session?.kernel && this.#still !== null) {
          this.#showHeld(mime, labTexts().noKernel);
        }
      }, NO_KERNEL);
      waiting.signal.addEventListener("abort", () => clearTimeout(noKernel), { once: true });
      dashboards.prepare();
      const lastView = lastViews.get(keyOf(shown.id)).then(drawLastView);
      const onMessage = async (message: Message) => {
        if (mayCellRun(message)) {
          inCell = true;
          waiting.abort();
          // The last view is drawn by a model that takes the messages from now on.
          if (this.#drawn === null && !(await this.#draw(shown, message, signal))) {
            await this.#renderByManager(mime, signal);
          }
        }
      };
      comms.listen(shown.id, (message) => void onMessage(message), waiting.signal);
      const onAnswer = () => {
        if (!waiting.signal.aborted) {
          waiting.abort();
          void this.#renderByManager(mime, signal, lastView);
        }
      };
      comms.session.ready.then(() => comms.session.session?.kernel?.info).then(onAnswer, onAnswer);
    }

    /** The kernel's messages cannot be read here; while a cell runs, it says so where the manager's view will be. */
    async #renderOtherVersion(shown: Shown, mime: MimeModel, signal: AbortSignal): Promise<void> {
      const waiting = linkedController(signal);
      this.#showWaiting(mime);
      const onMessage = (message: Message) => {
        if (mayCellRun(message)) {
          waiting.abort();
          if (!this.#managed) {
            this.#showStill(labTexts().otherVersion, stillOf(mime, true));
          }
        }
      };
      comms.listen(shown.id, onMessage, waiting.signal);
      await this.#renderByManager(mime, signal);
      waiting.abort();
    }

    /** `lastView`: whether the last view is drawn, once that is known. */
    async #renderByManager(mime: MimeModel, signal: AbortSignal, lastView = Promise.resolve(false)): Promise<void> {
      const view = mime.data[VIEW];
      const factory = await managersFactory(rendermime, placeholder, comms, signal);
      if (signal.aborted) {
        return;
      }
      if (factory === undefined || !isRow(view)) {
        const lacksManager = factory === undefined && Boolean(comms.session.session?.kernel);
        const words = lacksManager ? labTexts().noManager : labTexts().noKernel;
        if (!(await this.#hasOnlyLastView(lastView))) {
          this.#showHeld(mime, factory === undefined ? words : labTexts().runCell);
        } else if (lacksManager) {
          this.#showStill(words, null);
        }
        return;
      }
      const inner = factory.createRenderer({ ...this.#options, mimeType: VIEW });
      const hasView = () => inner.node.firstElementChild !== null;
      const reveal = () => {
        this.#managed = true;
        this.#removeStill();
        if (this.#drawn !== null && this.#id !== null) {
          handOver(inner.node.querySelector(".tbwidget"), dashboards.unsent(this.#id));
        }
        this.#endDrawn();
        Object.assign(inner.node.style, SEEN);
        inner.show();
      };
      let laidOver = false;
      const follow = () => {
        if (hasView() && laidOver) {
          // It comes when it has something to show.
        } else if (hasView() && this.#drawn !== null) {
          laidOver = true;
          this.#layOver(inner.node);
          inner.show();
          // Not before it has charts, where these are in place of others.
          const least = this.node.querySelector(CHART) === null ? 0 : MAX_WAIT_MS;
          whenSomethingIsShown(inner.node, () => signal.aborted || reveal(), signal, least);
        } else if (hasView()) {
          reveal();
        }
      };
      const observer = new MutationObserver(follow);
      observer.observe(inner.node, { childList: true });
      signal.addEventListener("abort", () => observer.disconnect(), { once: true });
      if (this.#still !== null || this.#drawn !== null) {
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
      if ((await this.#hasOnlyLastView(lastView)) || this.#showHeld(mime)) {
        inner.hide();
      } else {
        inner.show();
      }
    }

    /** Removes a closed dashboard from the output and from the notebook's file, where its view would have no model. */
    #hideOnceClosed(id: string, mime: MimeModel, signal: AbortSignal): void {
      const closed = (message: Message) => {
        if (message.header.msg_type === "comm_close") {
          this.#until.abort();
          this.#until = new AbortController();
          this.hide();
          lastViews.forget(keyOf(id));
          if (comms.isAnswerToThisPage(message)) {
            markClosed(mime);
          } else {
            const waited = MIN_MARKED_MS + Math.random() * (MAX_MARKED_MS - MIN_MARKED_MS);
            const timer = setTimeout(() => markClosed(mime), waited);
            this.#until.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
          }
        }
      };
      comms.listen(id, closed, signal);
    }

    /** Whether only the last view can be shown; the view says so itself. */
    async #hasOnlyLastView(lastView: Promise<boolean>): Promise<boolean> {
      const left = await lastView;
      if (left && this.#id !== null) {
        dashboards.end(this.#id);
      }
      return left;
    }

    /**
     * Draws the dashboard from the kernel's messages, or from its last view until they come; the picture goes when there is
     * something to see. Returns whether it could: the widget's files may be gone from the server.
     */
    async #draw(shown: Shown, first: Message | null, signal: AbortSignal): Promise<boolean> {
      const el = document.createElement("div");
      const holder = new lumino.Widget({ node: el });
      const drawn = linkedController(signal);
      const end = () => {
        drawn.abort();
        holder.dispose();
      };
      this.#drawn = { end };
      if (this.#still !== null) {
        this.#layOver(el);
        const reveal = () => {
          this.#removeStill();
          Object.assign(el.style, SEEN);
        };
        whenSomethingIsShown(el, reveal, drawn.signal);
      }
      this.addWidget(holder);
      try {
        await dashboards.render(shown, first, el, drawn.signal);
        return true;
      } catch {
        // The files are gone from the server: an update of the package, perhaps.
        if (signal.aborted) {
          return true;
        }
        this.#endDrawn();
        return false;
      }
    }

    #endDrawn(): void {
      this.#drawn?.end();
      this.#drawn = null;
    }

    /** Puts an element where the widget is, unseen: it has the widget's size, and draws the cards of its viewport. */
    #layOver({ style }: HTMLElement): void {
      Object.assign(style, UNSEEN);
      Object.assign(this.node.style, { position: "relative" });
    }

    /** Says that the kernel's messages are waited for; grayed, what the output holds of the dashboard. */
    #showWaiting(mime: MimeModel): void {
      this.#showStill(labTexts().connecting, stillOf(mime, true));
    }

    /**
     * Shows the picture that the output holds, or else its text, and what brings the dashboard back; returns whether it
     * holds one of them.
     */
    #showHeld(mime: MimeModel, words = labTexts().runCell): boolean {
      const held = stillOf(mime) ?? textOf(mime);
      if (held === null) {
        this.#removeStill();
      } else {
        this.#showStill(words, held);
      }
      return held !== null;
    }

    #showStill(words: string, held: HTMLElement | null): void {
      this.#removeStill();
      const caption = document.createElement("figcaption");
      caption.textContent = held?.querySelector("img") ? labTexts().asFirst(words) : words;
      Object.assign(caption.style, { padding: "4px 0", color: "var(--jp-ui-font-color2, GrayText)" });
      const node = document.createElement("figure");
      Object.assign(node.style, {
        margin: "0",
        font: "var(--jp-ui-font-size1, 13px) var(--jp-ui-font-family, sans-serif)",
      });
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

function markClosed(mime: MimeModel): void {
  // Each time that they are read, the data are another copy.
  const { data } = mime;
  const view = data[VIEW];
  if (isRow(view)) {
    mime.setData({ data: { ...data, [VIEW]: { ...view, model_id: "" } } });
  }
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

function parse(data: unknown): Shown | null {
  if (!isRow(data) || typeof data.model_id !== "string" || data.model_id === "" || typeof data.protocol !== "number") {
    return null;
  }
  const state: Row = isRow(data.state) ? data.state : {};
  return { id: data.model_id, protocol: data.protocol, state };
}

/** The MIME type of a widget in an output. */
export const VIEW = "application/vnd.jupyter.widget-view+json";

/** Milliseconds between two attempts to find the widget manager's renderer, and how many there are. */
const POLL_INTERVAL = 50;
const MAX_POLLS = 100;

/** The renderer of this notebook's widget manager. Without a kernel, one that has no manager, or none. */
export async function managersFactory(
  rendermime: RenderMime,
  placeholder: RendererFactory | undefined,
  comms: Comms,
  signal: AbortSignal,
): Promise<RendererFactory | undefined> {
  for (let poll = 0; poll < MAX_POLLS && !signal.aborted; poll++) {
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

/** A card that has been drawn. */
export const CHART = ".tbwidget [data-last-step]";

/**
 * Calls `then` when a dashboard in `node` has something to show, unless the signal comes first. It waits `forChart`
 * milliseconds more for a chart.
 */
export function whenSomethingIsShown(node: HTMLElement, then: () => void, signal: AbortSignal, forChart = 0): void {
  let waiting = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    waiting = false;
    observer.disconnect();
    clearTimeout(timer);
  };
  const shown = () => {
    end();
    then();
  };
  const look = () => {
    const state = node.querySelector<HTMLElement>(".tbwidget")?.dataset.state;
    if (!waiting || state === undefined || state === "reading") {
      return;
    }
    if (forChart === 0 || node.querySelector(CHART) !== null) {
      shown();
    } else {
      timer ??= setTimeout(shown, forChart);
    }
  };
  const observer = new MutationObserver(look);
  observer.observe(node, { subtree: true, childList: true, attributeFilter: ["data-state", "data-last-step"] });
  signal.addEventListener("abort", end, { once: true });
  look();
}

const PICTURE = "image/png";

// The picture is drawn on white paper. JupyterLab may set its theme later than this is shown, and another one any time.
const STYLES = `
.tbwidget-still img { max-width: 100%; }
body[data-jp-theme-light="false"] .tbwidget-still img { filter: invert(0.9) hue-rotate(180deg); }
.tbwidget-still[data-waiting] { filter: grayscale(1); opacity: 0.6; }
`;

/** The picture that an output holds, in the colors of the page's theme; grayed while the dashboard is waited for. */
export function stillOf({ data }: MimeModel, waiting = false): HTMLElement | null {
  const encoded = data[PICTURE];
  if (typeof encoded !== "string") {
    return null;
  }
  const style = document.createElement("style");
  style.textContent = STYLES;
  const image = document.createElement("img");
  image.src = `data:${PICTURE};base64,${encoded.replaceAll(/\s/g, "")}`;
  image.alt = String(data["text/plain"] ?? labTexts().picture);
  const node = document.createElement("div");
  node.className = "tbwidget-still";
  node.toggleAttribute("data-waiting", waiting);
  node.append(style, image);
  return node;
}

/** The text that an output holds. */
export function textOf({ data }: MimeModel): HTMLElement | null {
  const text = data["text/plain"];
  if (typeof text !== "string" || text === "") {
    return null;
  }
  const node = document.createElement("pre");
  node.textContent = text;
  node.style.whiteSpace = "pre-wrap";
  return node;
}
