// One view of a dashboard: what its parts share, and what must end with it.

import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type ComponentChildren, createContext, type RefObject } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Theme } from "../lib/colours";
import { Frames } from "../lib/frames";
import type { Session } from "../wire/session";
import type { Choices } from "./choices";
import { followTheme } from "./theme";

/** Below this width, in CSS pixels, the list of runs lies above the cards. */
const NARROW = 560;

/** Pixels around the view within which cards are drawn already. */
const AHEAD = 240;

/** What is shown beside the pointer, and where that is in the window. */
export interface Note {
  readonly left: number;
  readonly top: number;
  readonly content: ComponentChildren;
}

export interface View {
  readonly session: Session;
  readonly choices: Choices;
  readonly frames: Frames;
  readonly theme: ReadonlySignal<Theme>;
  readonly narrow: ReadonlySignal<boolean>;
  /** The time, in milliseconds since the epoch, to the second. */
  readonly now: ReadonlySignal<number>;
  /** The run that the pointer is on in the list. */
  readonly pointedOut: Signal<string | null>;
  readonly note: Signal<Note | null>;
  readonly visibility: Visibility;
  /** Since when charts in sight are coarser than they could be, in milliseconds since the epoch; null if none is. */
  readonly coarseAt: ReadonlySignal<number | null>;
}

/** Makes a view in `el`; all it starts ends when `until` aborts. */
export function createView(session: Session, choices: Choices, el: HTMLElement, until: AbortSignal): View {
  const now = signal(Date.now());
  const clock = setInterval(() => {
    now.value = Date.now();
  }, 1000);
  const narrow = signal(el.clientWidth > 0 && el.clientWidth < NARROW);
  const sizes = new ResizeObserver(() => {
    if (el.clientWidth > 0) {
      narrow.value = el.clientWidth < NARROW;
    }
  });
  sizes.observe(el);
  const frames = new Frames();
  const inSight = signal<readonly string[]>([]);
  const visibility = new Visibility((tags) => {
    inSight.value = tags;
  });
  const coarseAt = signal<number | null>(null);
  const endWatch = effect(() => {
    const time = now.value;
    const coarse = inSight.value.some((tag) => session.store.isCoarse(tag));
    coarseAt.value = coarse ? (coarseAt.peek() ?? time) : null;
  });
  const endReports = effect(() => {
    session.report({ visible: inSight.value, range: choices.xAxis.value === "step" ? choices.stepRange.value : null });
  });
  until.addEventListener(
    "abort",
    () => {
      clearInterval(clock);
      endReports();
      endWatch();
      frames.stop();
      sizes.disconnect();
      visibility.disconnect();
    },
    { once: true },
  );
  return {
    session,
    choices,
    frames,
    theme: followTheme(el.ownerDocument, until),
    narrow,
    now,
    pointedOut: signal(null),
    note: signal(null),
    visibility,
    coarseAt,
  };
}

/** Tells cards whether they are on the screen, or nearly, and says which are. */
export class Visibility {
  readonly #told = new Map<Element, (visible: boolean) => void>();
  readonly #visible = new Map<Element, string>();
  readonly #changed: (tags: readonly string[]) => void;
  #observer: IntersectionObserver | null = null;

  /** `changed` is told the tags of the cards on the screen, in their order there. */
  constructor(changed: (tags: readonly string[]) => void) {
    this.#changed = changed;
  }

  /** Starts watching within `root`, the element that scrolls. */
  connect(root: Element): void {
    this.disconnect();
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          this.#told.get(target)?.(isIntersecting);
          if (isIntersecting) {
            this.#visible.set(target, target.getAttribute("data-tag") ?? "");
          } else {
            this.#visible.delete(target);
          }
        }
        this.#changed(this.#inOrder());
      },
      { root, rootMargin: `${AHEAD}px 0px` },
    );
    for (const element of this.#told.keys()) {
      this.#observer.observe(element);
    }
  }

  /** Watches an element; returns what ends it. */
  watch(element: Element, tell: (visible: boolean) => void): () => void {
    this.#told.set(element, tell);
    this.#observer?.observe(element);
    return () => {
      this.#told.delete(element);
      this.#visible.delete(element);
      this.#observer?.unobserve(element);
    };
  }

  #inOrder(): string[] {
    const follows = (a: Element, b: Element) =>
      a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    return [...this.#visible].sort(([a], [b]) => follows(a, b)).map(([, tag]) => tag);
  }

  disconnect(): void {
    this.#observer?.disconnect();
    this.#observer = null;
  }
}

export const ViewContext = createContext<View | null>(null);

export function useView(): View {
  const view = useContext(ViewContext);
  if (view === null) {
    throw new Error("no view around this component");
  }
  return view;
}

/** Whether the element is on the screen, or nearly. */
export function useOnScreen(ref: RefObject<Element | null>): boolean {
  const { visibility } = useView();
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    const element = ref.current;
    return element === null ? undefined : visibility.watch(element, setVisible);
  }, [ref, visibility]);
  return visible;
}
