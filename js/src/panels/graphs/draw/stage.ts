// A drawn graph in the page: canvas, overlay and minimap, what moves them, and the events that they report.

import type { Point } from "../../../charts/geometry";
import { actionAmong, type Key, type KeyMap, ZOOM_KEYS } from "../../../charts/keyboard";
import { watchPixelRatio } from "../../../charts/pixelratio";
import { toContent } from "../../../charts/planecamera";
import { FINGER_DRAG_PX, type GestureEvents, listen as stageGestures } from "../../../charts/stagegestures";
import type { FrameScheduler } from "../../../lib/frames";
import { wantsNoMotion } from "../../../lib/motion";
import type { Theme } from "../../../lib/tokens";
import { MarkKind } from "../layout/types";
import { isOpenable } from "../model/view";
import type { Covered } from "./camera";
import { type Picture as SavedPicture, toPng, toSvg } from "./export";
import { type Hit, hitAt, NOTHING } from "./hit";
import { Minimap } from "./minimap";
import { BoxButtons, buttonsOn, followFocus, MAX_ELEMENTS, Overlay } from "./overlay";
import { Picture } from "./picture";
import type { Scene, Shown } from "./scene";
import { Scroller } from "./scroller";
import { type Direction, stepFrom } from "./steps";
import { graphDrawingTexts } from "./texts";
import { TRANSITION_MS } from "./transitions";
import { Viewpoint } from "./viewpoint";

/** CSS pixels beside a route where it is still pointed at. */
const SLACK_PX = 4;

export class GraphStage {
  readonly #host: HTMLElement;
  readonly #frames: FrameScheduler;
  readonly #events: StageEvents;
  readonly #picture: Picture;
  readonly #overlay: Overlay;
  readonly #scroller: Scroller;
  readonly #minimap: Minimap;
  readonly #buttons: BoxButtons;
  readonly #ended = new AbortController();
  readonly #viewpoint: Viewpoint;
  #selected: string | null = null;
  /** The box that the keyboard is on, where that is to be seen. */
  #focused: string | null = null;
  #hit: Hit = NOTHING;
  /** Where the pointer is, of the stage. */
  #pointer: Point | null = null;
  /** Elements follow the camera when it rests; a drag that pauses goes on. */
  readonly #choosing: IdleTask;
  readonly #uncovering: IdleTask;

  constructor(host: HTMLElement, label: string, frames: FrameScheduler, theme: Theme, events: StageEvents) {
    const page = host.ownerDocument;
    [this.#host, this.#frames, this.#events] = [host, frames, events];
    this.#choosing = new IdleTask(host, ["data-dragged"], () => this.#chooseElements());
    this.#uncovering = new IdleTask(host, ["data-dragged", "data-clicked"], () =>
      this.#do(() => this.#viewpoint.uncover(this.#boxOf(this.#selected))),
    );
    this.#viewpoint = new Viewpoint(wantsNoMotion, () => events.covered());
    this.#overlay = new Overlay(page, label, graphDrawingTexts().keys);
    this.#scroller = new Scroller(page, this.#overlay.element, (by) => {
      this.#do(() => this.#viewpoint.pan(by));
      this.#chooseElements();
    });
    this.#minimap = new Minimap(page, (at) => {
      this.#viewpoint.lookAt(at);
      this.#request();
    });
    this.#picture = new Picture(host, this.#minimap, theme, label);
    this.#buttons = new BoxButtons(page, {
      toggle: (path) => this.#toggle(path, this.#onBar(path, 1), true),
      menu: (path, left, top) => events.menu(path, left, top),
    });
    // The dashboard leaves these keys to the stage while it has the focus.
    host.dataset.keys = Object.values(GRAPH_KEYS).flatMap(Object.keys).join(" ");
    host.append(...this.#picture.elements, this.#scroller.element, this.#buttons.element, this.#minimap.element);
    this.#listen();
  }

  end(): void {
    this.#ended.abort();
  }

  #listen(): void {
    const host = this.#host;
    const { signal } = this.#ended;
    const viewpoint = this.#viewpoint;
    const sizes = new ResizeObserver(() => {
      this.#scroller.home();
      viewpoint.resize({ width: host.clientWidth, height: host.clientHeight });
      this.#chooseElements();
      this.uncover();
      // At once: a canvas whose size is set is empty.
      this.#draw();
    });
    sizes.observe(host);
    const unwatch = watchPixelRatio(() => this.#do(() => this.#picture.forget()));
    const unlisten = listen(host, {
      zoomed: (factor, at) => this.#do(() => viewpoint.zoom(factor, at)),
      moved: (by) => this.#do(() => viewpoint.pan(by)),
      hovered: (at) => {
        this.#pointer = at;
        this.#request();
      },
      clicked: (at, target) => this.#click(at, target),
      doubleClicked: (at, target) => {
        const path = this.#pathAt(at, target);
        if (path !== null) {
          this.#toggle(path, at, !this.#hitAt(at).isBody && this.#isOpen(path));
        }
      },
      menu: (at, target) => this.#menu(this.#pathAt(at, target), at),
      hasFocus: () => host.contains(host.ownerDocument.activeElement),
    });
    host.addEventListener("keydown", (event) => this.#key(event), { signal });
    const focus = {
      entered: () => this.focus(),
      came: (path: string, isVisible: boolean) => {
        this.#focused = isVisible ? path : null;
        this.#do(() => viewpoint.bringIntoSight(this.#boxOf(path)));
      },
      left: () => {
        this.#focused = null;
        this.#request();
      },
    };
    followFocus(host, this.#overlay, this.#scroller, focus, signal);
    signal.addEventListener("abort", () => {
      this.#choosing.cancel();
      this.#uncovering.cancel();
      sizes.disconnect();
      unwatch();
      unlisten();
      this.#frames.cancel(this);
      host.replaceChildren();
    });
  }

  /** Shows a scene; visible boxes stay in place if both scenes have them. */
  show(scene: Scene, selected: string | null): void {
    const before = this.#viewpoint.shown?.scene;
    this.#selected = selected;
    this.#overlay.select(selected);
    if (scene !== before) {
      const now = performance.now();
      if (this.#viewpoint.show(scene, now)) {
        // The box under the pointer may have a new number, or be gone.
        this.#pointAt(NOTHING);
        if (!this.#viewpoint.isMovingAt(now) && !wantsNoMotion()) {
          this.#picture.fade(TRANSITION_MS);
        }
        this.uncover();
      }
      // Of many boxes that takes as long as to draw them.
      if (scene.view.count > MAX_ELEMENTS) {
        this.#choosing.soon();
      } else {
        this.#chooseElements();
      }
    }
    this.#request();
  }

  recolor(theme: Theme): void {
    this.#picture.theme = theme;
    this.#do(() => this.#picture.forget());
  }

  /** Shows all. */
  fit(): void {
    this.#do(() => this.#viewpoint.fit());
  }

  zoomBy(factor: number): void {
    this.#do(() => this.#viewpoint.zoomSlowly(factor));
  }

  /** Centers a box, now or once it is laid out. */
  center(path: string): void {
    this.#do(() => this.#viewpoint.center(path));
  }

  /** Moves the selected box, a moment later, from below what lies upon the stage. */
  uncover(): void {
    this.#uncovering.request();
  }

  /** Path of the box that has the keyboard. */
  get focused(): string | null {
    return this.#overlay.focusedPath();
  }

  /** The keyboard goes to a box, else to the selected one, or to the first one. */
  focus(path = this.#selected): void {
    const { shown } = this.#viewpoint;
    if (shown !== null) {
      const box = this.#boxOf(path);
      this.#focusBox(box >= 0 ? box : stepFrom(shown.scene, shown.prepared, -1, "in"));
    }
  }

  /** All of the graph as the text of an SVG. */
  svg(): string {
    const { shown } = this.#viewpoint;
    return shown === null ? "" : toSvg(shown.scene, this.#picture.savedColors, graphDrawingTexts().auxiliary);
  }

  /** Likewise of pixels; null where nothing is drawn. */
  async png(): Promise<SavedPicture | null> {
    const { shown } = this.#viewpoint;
    const page = this.#host.ownerDocument;
    return shown === null ? null : toPng(shown.scene, this.#picture.savedColors, graphDrawingTexts().auxiliary, page);
  }

  #do(change: () => void): void {
    change();
    this.#request();
  }

  #boxOf(path: string | null): number {
    return path === null ? -1 : (this.#viewpoint.shown?.prepared.boxOf.get(path) ?? -1);
  }

  #hitAt(at: Point): Hit {
    const { shown, camera, bounds } = this.#viewpoint;
    if (shown === null || camera === null) {
      return NOTHING;
    }
    const { x, y } = toContent(camera, at);
    return hitAt(shown.scene, bounds, x, y, SLACK_PX / camera.zoom);
  }

  #pathAt(at: Point, target: EventTarget | null): string | null {
    return this.#overlay.pathOf(target) ?? this.#viewpoint.shown?.scene.view.path[this.#hitAt(at).box] ?? null;
  }

  #click(at: Point, target: EventTarget | null): void {
    const hit = this.#hitAt(at);
    const marks = this.#viewpoint.shown?.scene.input.marks;
    const kind = marks?.kind[hit.mark];
    if (marks === undefined || kind === undefined || kind === MarkKind.MORE) {
      const isRoute = hit.route >= 0 && this.#overlay.pathOf(target) === null;
      this.#events.selected(isRoute ? null : this.#pathAt(at, target));
      return;
    }
    const about = marks.about[hit.mark] as number;
    if (kind === MarkKind.PARTNER) {
      const path = this.#viewpoint.shown?.scene.view.path[about];
      this.#events.selected(path ?? null);
      this.center(path ?? "");
    } else {
      this.#events.nodeSelected(about);
    }
  }

  #isOpen(path: string): boolean {
    return this.#viewpoint.shown?.scene.view.open[this.#boxOf(path)] === 1;
  }

  /** A point of the stage on the bar of a box: from 0, its left end, to 1. */
  #onBar(path: string, share: number): Point {
    const { x, y, w, h } = this.#viewpoint.barOf(this.#boxOf(path));
    return { x: x + share * w, y: y + h / 2 };
  }

  /** The point of the box or its bar under the pointer stays in place. */
  #toggle(path: string, at: Point, byBar: boolean): void {
    const { shown } = this.#viewpoint;
    const box = this.#boxOf(path);
    if (shown !== null && box >= 0 && isOpenable(shown.scene.view, box)) {
      this.#viewpoint.keep(path, at, byBar);
      this.#events.toggled(path);
    }
  }

  #menu(path: string | null, at: Point): boolean {
    const { left, top } = this.#host.getBoundingClientRect();
    this.#events.menu(path, left + at.x, top + at.y);
    return true;
  }

  #key(event: KeyboardEvent): void {
    const action = actionOf(event);
    const { shown } = this.#viewpoint;
    if (action === undefined || shown === null) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const focused = this.#overlay.focusedPath() ?? this.#selected;
    const box = this.#boxOf(focused);
    switch (action.does) {
      case "step": {
        const next = stepFrom(shown.scene, shown.prepared, box, action.to);
        if (next >= 0) {
          this.#focusBox(next);
          this.#events.selected(shown.scene.view.path[next] as string);
        }
        break;
      }
      case "toggle":
        if (focused !== null) {
          this.#toggle(focused, this.#onBar(focused, 0.5), true);
        }
        break;
      case "zoom":
        this.zoomBy(action.factor);
        break;
      case "fit":
        this.fit();
        break;
      case "begin":
        this.#do(() => this.#viewpoint.restart());
        break;
      case "search":
        this.#events.search();
        break;
      case "menu":
        this.#menu(focused, this.#onBar(focused ?? "", 0));
        break;
    }
  }

  #focusBox(box: number): void {
    const path = this.#viewpoint.shown?.scene.view.path[box];
    if (path !== undefined) {
      this.#viewpoint.bringIntoSight(box);
      this.#chooseElements(box);
      this.#overlay.focus(path);
      this.#request();
    }
  }

  /** Gives elements to the visible boxes, and to `box`, wherever it is. */
  #chooseElements(box = -1): void {
    this.#choosing.cancel();
    const { shown, camera, size } = this.#viewpoint;
    if (shown !== null && camera !== null) {
      this.#overlay.show(shown, camera, size, box);
      this.#overlay.move(camera);
    }
  }

  #request(): void {
    this.#frames.request(this, () => this.#draw());
  }

  #draw(): void {
    const { shown, size } = this.#viewpoint;
    const sight = this.#viewpoint.at(performance.now());
    if (shown === null || sight === null || size.width === 0 || size.height === 0) {
      return;
    }
    this.#picture.draw(shown, sight, size, this.#boxOf(this.#selected), this.#boxOf(this.#focused));
    this.#moveElements();
    this.#pointAt(this.#pointer === null || sight.isMoving ? NOTHING : this.#hitAt(this.#pointer));
    this.#buttons.show(buttonsOn(shown, this.#hit, this.#selected));
    this.#buttons.move(sight.camera, size.width);
    this.#minimap.move(sight.camera, shown.scene.layout, size, this.#picture.colors.accent);
    this.#host.toggleAttribute("data-moving", sight.isMoving);
    this.#picture.drawConnected(this.#hit.isBody || this.#hit.route >= 0 ? -1 : this.#hit.box);
    if (sight.isMoving) {
      // Not from within this frame, which would draw it again and again.
      queueMicrotask(() => this.#ended.signal.aborted || this.#request());
    }
  }

  /** Elements follow the camera, many of them when it rests: that takes the browser longer than the drawing. */
  #moveElements(): void {
    const { camera } = this.#viewpoint;
    if (camera === null || this.#overlay.isAt(camera)) {
      return;
    }
    if (this.#overlay.isSmall) {
      this.#overlay.move(camera);
    } else {
      this.#choosing.request();
    }
  }

  /** The pointer is on something else. */
  #pointAt(hit: Hit): void {
    const { box, mark, route, isBody } = this.#hit;
    this.#hit = hit;
    const { shown } = this.#viewpoint;
    if (shown !== null && (hit.box !== box || hit.mark !== mark || hit.route !== route || hit.isBody !== isBody)) {
      const { left, top } = this.#host.getBoundingClientRect();
      const { x, y } = this.#tooltipAnchor(hit);
      this.#events.hovered(shown, hit, left + x, top + y);
    }
  }

  /** Where something may be shown about what is pointed at: at the right of a box, such that it does not cover it. */
  #tooltipAnchor({ box, mark, route }: Hit): Point {
    const pointer = this.#pointer ?? { x: 0, y: 0 };
    const { x, y, w } = this.#viewpoint.barOf(mark < 0 && route < 0 ? box : -1);
    return w > 0 && x + w < this.#viewpoint.size.width ? { x: x + w, y: Math.max(0, y) } : pointer;
  }
}

// The events that a drawn graph reports to the code that put it into the page.

export interface StageEvents {
  /** A box by its path; null for none. */
  selected(path: string | null): void;
  /** A node that is drawn as a mark, by its number. */
  nodeSelected(node: number): void;
  toggled(path: string): void;
  /** A menu is asked for, at a place in the window. */
  menu(path: string | null, left: number, top: number): void;
  /** The element under the pointer, at a place in the window. */
  hovered(shown: Shown, hit: Hit, left: number, top: number): void;
  /** The user wants to search. */
  search(): void;
  covered(): Covered;
}

// A debounced task that also waits for the end of a gesture.

/** Time between the last request and the task. */
const IDLE_MS = 120;

export class IdleTask {
  readonly #host: HTMLElement;
  readonly #gestures: readonly string[];
  readonly #act: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;

  /** `gestures`: attributes that the host has during those that are waited for. */
  constructor(host: HTMLElement, gestures: readonly string[], act: () => void) {
    [this.#host, this.#gestures, this.#act] = [host, gestures, act];
  }

  request(): void {
    if (this.#frame > 0) {
      return;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#gestures.some((name) => this.#host.hasAttribute(name))) {
        this.request();
      } else {
        this.#act();
      }
    }, IDLE_MS);
  }

  /** After the next frame, whatever the user does. */
  soon(): void {
    this.cancel();
    this.#frame = requestAnimationFrame(() => {
      this.#timer = setTimeout(() => {
        this.#frame = 0;
        this.#act();
      });
    });
  }

  cancel(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }
}

// Wheel, mouse, pen, fingers and keys on a graph: a drag moves it, two fingers and the wheel zoom, a click selects.
//
// The wheel alone scrolls the page, unless the graph has the focus; with Ctrl or ⌘, and as a pinch on a touchpad, which
// comes as a wheel with Ctrl, it zooms.

interface GraphEvents extends Required<Pick<GestureEvents, "zoomed" | "moved" | "hovered" | "menu">> {
  clicked(at: Point, target: EventTarget | null): void;
  doubleClicked(at: Point, target: EventTarget | null): void;
  hasFocus(): boolean;
}

const PINCH_GAIN = 4;
/** Milliseconds within which a second click makes a double click. */
const DOUBLE_CLICK_MS = 500;

/** Listens until what it returns is called. */
function listen(element: HTMLElement, events: GraphEvents): () => void {
  let double: ReturnType<typeof setTimeout> | undefined;
  const end = stageGestures(
    element,
    {
      zoomed: events.zoomed,
      moved: events.moved,
      hovered: events.hovered,
      menu: events.menu,
      clicked: (at, { target }) => {
        // An element that the first click shows over the graph lets the second click through.
        element.toggleAttribute("data-clicked", true);
        clearTimeout(double);
        double = setTimeout(() => element.toggleAttribute("data-clicked", false), DOUBLE_CLICK_MS);
        events.clicked(at, target);
      },
      doubleClicked: (at, { target }) => events.doubleClicked(at, target),
    },
    {
      fingerPx: FINGER_DRAG_PX,
      wheel: {
        zooms: ({ ctrlKey, metaKey }) => ctrlKey || metaKey || events.hasFocus(),
        pinchGain: PINCH_GAIN,
      },
    },
  );
  return () => {
    clearTimeout(double);
    end();
  };
}

// Maps keys to actions on a graph. Pure.

type KeyAction =
  | { readonly does: "step"; readonly to: Direction }
  | { readonly does: "zoom"; readonly factor: number }
  | { readonly does: "toggle" | "fit" | "begin" | "search" | "menu" };

const to = (direction: Direction): KeyAction => ({ does: "step", to: direction });
const toggle: KeyAction = { does: "toggle" };
const menu: KeyAction = { does: "menu" };

/** The keys of a graph. */
export const GRAPH_KEYS = {
  neighbor: { ArrowUp: to("up"), ArrowDown: to("down"), ArrowLeft: to("left"), ArrowRight: to("right") },
  level: { "Shift+ArrowUp": to("out"), "Shift+ArrowDown": to("in") },
  toggle: { Enter: toggle, Space: toggle },
  zoom: ZOOM_KEYS,
  fit: { "0": { does: "fit" } },
  begin: { Home: { does: "begin" } },
  search: { "/": { does: "search" } },
  menu: { ContextMenu: menu, "Shift+F10": menu },
} as const satisfies KeyMap<KeyAction>;

/** Undefined for keys that the graph does not handle. */
export function actionOf(key: Key): KeyAction | undefined {
  return actionAmong<KeyAction>(key, GRAPH_KEYS);
}
