// One view of a dashboard: what its parts share, and what must end with it.

import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { createContext, type RefObject } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Theme } from "../lib/colours";
import type { Session } from "../wire/session";
import { followTheme } from "./theme";

/** Below this width, in CSS pixels, the list of runs lies above the cards. */
const NARROW = 560;

/** Pixels around the view within which cards are drawn already. */
const AHEAD = 240;

export interface View {
  readonly session: Session;
  readonly theme: ReadonlySignal<Theme>;
  readonly narrow: ReadonlySignal<boolean>;
  /** The time, in milliseconds since the epoch, to the second. */
  readonly now: ReadonlySignal<number>;
  /** The run that the pointer is on in the list. */
  readonly pointedOut: Signal<string | null>;
  readonly visibility: Visibility;
}

/** Makes a view in `el`; all it starts ends when `until` aborts. */
export function createView(session: Session, el: HTMLElement, until: AbortSignal): View {
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
  const visibility = new Visibility();
  until.addEventListener(
    "abort",
    () => {
      clearInterval(clock);
      sizes.disconnect();
      visibility.disconnect();
    },
    { once: true },
  );
  return {
    session,
    theme: followTheme(el.ownerDocument, until),
    narrow,
    now,
    pointedOut: signal(null),
    visibility,
  };
}

/** Tells elements whether they are on the screen, or nearly. */
export class Visibility {
  readonly #told = new Map<Element, (visible: boolean) => void>();
  #observer: IntersectionObserver | null = null;

  /** Starts watching within `root`, the element that scrolls. */
  connect(root: Element): void {
    this.disconnect();
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          this.#told.get(entry.target)?.(entry.isIntersecting);
        }
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
      this.#observer?.unobserve(element);
    };
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
