// One view of a dashboard: what its parts share, and what must end with it.

import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type ComponentChildren, createContext, type RefObject } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Theme } from "../lib/colours";
import { Frames } from "../lib/frames";
import type { TagOf } from "../wire/collection";
import type { Session } from "../wire/session";
import { histogramsDuring, type Range, stepsDuring, union } from "../wire/span";
import type { Choices } from "./choices";
import { type Room, roomIn } from "./room";
import { followTheme } from "./theme";
import { Visibility } from "./visibility";

/** What is shown beside the pointer, and where that is in the window. */
export interface Note {
  readonly left: number;
  readonly top: number;
  readonly content: ComponentChildren;
}

export interface View {
  /** Begins the ids of elements, which are the page's: it has other views. */
  readonly id: string;
  readonly session: Session;
  readonly choices: Choices;
  readonly frames: Frames;
  readonly theme: ReadonlySignal<Theme>;
  readonly room: ReadonlySignal<Room>;
  /** CSS pixels that the cards have from left to right. */
  readonly width: Signal<number>;
  /** The time, in milliseconds since the epoch, to the second. */
  readonly now: ReadonlySignal<number>;
  /** The run that the pointer is on in the list. */
  readonly pointedOut: Signal<string | null>;
  readonly note: Signal<Note | null>;
  readonly visibility: Visibility;
  /** Times in sight, of the charts that do not show all of them; by tag. */
  readonly times: Signal<ReadonlyMap<string, Range>>;
  /** Since when charts in sight are coarser than they could be, in milliseconds since the epoch; null if none is. */
  readonly coarseAt: ReadonlySignal<number | null>;
}

/** Makes a view in `el`; all it starts ends when `until` aborts. */
export function createView(session: Session, choices: Choices, el: HTMLElement, until: AbortSignal): View {
  const now = signal(Date.now());
  const clock = setInterval(() => {
    now.value = Date.now();
  }, 1000);
  // Until it is laid out, an element has no width.
  const room = signal(el.clientWidth > 0 ? roomIn(el.clientWidth) : "roomy");
  const sizes = new ResizeObserver(() => {
    if (el.clientWidth > 0) {
      room.value = roomIn(el.clientWidth);
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
  const times = signal<ReadonlyMap<string, Range>>(new Map());
  const endReports = effect(() => {
    const visible = inSight.value;
    const linked = choices.linkedStep.value;
    if (choices.xAxis.value === "step") {
      session.report({ visible, range: choices.stepRange.value, near: null, linked });
      return;
    }
    const near = visible.filter((tag) => times.value.has(tag));
    const ranges = near
      .map((tag) => stepsInSight(tag, times.value, session, choices))
      .filter((range) => range !== null);
    session.report({ visible, range: union(ranges), near, linked });
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
    id: `tbwidget-${Math.random().toString(36).slice(2)}`,
    session,
    choices,
    frames,
    theme: followTheme(el.ownerDocument, until),
    room,
    width: signal(el.clientWidth),
    now,
    pointedOut: signal(null),
    note: signal(null),
    visibility,
    times,
    coarseAt,
  };
}

/** The steps that a chart shows of the runs shown; null for all. */
export function stepsInSight(
  tag: string,
  times: ReadonlyMap<string, Range>,
  session: Session,
  choices: Choices,
): Range | null {
  const axis = choices.xAxis.value;
  const range = times.get(tag);
  if (axis === "step" || range === undefined) {
    return axis === "step" ? choices.stepRange.value : null;
  }
  const { scalars, histograms } = session.store;
  const relative = axis === "relative";
  const ranges = [
    stepsDuring(shownOf(scalars.tag(tag), choices), range, relative),
    histogramsDuring(shownOf(histograms.tag(tag), choices), range, relative),
  ];
  return union(ranges.filter((steps) => steps !== null));
}

/** The series of the runs shown, without stretches in detail. */
function shownOf<S>(data: TagOf<S> | undefined, choices: Choices): S[] {
  void data?.version.value;
  return [...(data?.byRun ?? [])].filter(([run]) => choices.shows(run)).map(([, { base }]) => base);
}

/** Notes which times a chart shows; null for all. */
export function showTimes({ times }: View, tag: string, range: Range | null): void {
  if (range !== null || times.peek().has(tag)) {
    const changed = new Map(times.peek());
    changed.delete(tag);
    times.value = range === null ? changed : changed.set(tag, range);
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
