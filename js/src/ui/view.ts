// One view of a dashboard: what its parts share, what they keep while they are off the screen, and what must end with it.

import { batch, computed, effect, type ReadonlySignal, signal, untracked, useComputed } from "@preact/signals";
import { createContext, type RefObject } from "preact";
import { useContext, useLayoutEffect, useState } from "preact/hooks";
import { type Camera, WHOLE } from "../charts/camera";
import { FrameScheduler } from "../lib/frames";
import { type Range, union } from "../lib/search";
import { computedList } from "../lib/sortrows";
import type { Theme } from "../lib/tokens";
import { timeAxis } from "../lib/xaxis";
import type { OptionsOf, OptionTable } from "../options/declare";
import type { Options } from "../options/options";
import { rangeNumbers, StepClicks, stepNumber, timeAxisOptions } from "../options/shared";
import type { Channel } from "../wire/channel";
import type { GroupState, Panel, View } from "./declarations";
import { KeyedSignals } from "./keyed";
import { watchTheme } from "./pagetheme";
import { type LookedAt, panelsWithData, shownPanel } from "./panel";

import { Visibility } from "./visibility";
import { widthClassOf } from "./widths";

export type { GroupState, RunChoice, TooltipState, View } from "./declarations";

/** Cards of a group that exist at once until the user shows more. */
export const MAX_CARDS = 1000;

/** Shown runs are named to the kernel, which sends them first, if there are no more. */
const MAX_NAMED = 500;

export interface ViewOptions {
  readonly channel: Channel;
  readonly options: Options;
  readonly panels: readonly Panel[];
  readonly el: HTMLElement;
}

/** Makes a view in `el`; all it starts ends when `until` aborts. */
export function createView({ channel, options, panels, el }: ViewOptions, until: AbortSignal): View {
  const { store } = channel;
  const theme = signal<Theme>("light");
  watchTheme(
    el.ownerDocument,
    (found) => {
      theme.value = found;
    },
    until,
  );
  const now = signal(Date.now());
  const clock = setInterval(() => {
    now.value = Date.now();
  }, 1000);
  const isMaximized = signal(false);
  // Until it is laid out, an element has no width.
  const widthClass = signal(el.clientWidth > 0 ? widthClassOf(el.clientWidth) : "wide");
  const measure = () => {
    const { clientWidth } = isMaximized.value ? el.ownerDocument.documentElement : el;
    if (clientWidth > 0) {
      widthClass.value = widthClassOf(clientWidth);
    }
  };
  const sizes = new ResizeObserver(() => untracked(measure));
  sizes.observe(el);
  sizes.observe(el.ownerDocument.documentElement);
  const frames = new FrameScheduler();
  const tabs = computedList(() =>
    panelsWithData(panels, store.status.value?.kinds ?? [], options.onlyPanel, store.runs.value),
  );
  const lookedAt = signal<LookedAt | null>(null);
  const panel = computed(() => shownPanel(tabs.value, options.board.panel.value, lookedAt.value));
  const look = () => {
    const [name, chosen] = [panel.peek()?.name, options.board.panel.peek()];
    const isKnown = lookedAt.peek()?.name === name && lookedAt.peek()?.chosen === chosen;
    // While the logs are read for the first time, more panels come at any moment.
    if (name !== undefined && !isKnown && store.status.peek()?.ready === true) {
      lookedAt.value = { name, chosen };
    }
  };
  for (const type of ["pointermove", "pointerdown", "wheel", "keydown"]) {
    el.addEventListener(type, look, { capture: true, passive: true, signal: until });
  }
  const kinds = computed(() => panel.value?.codecs.map(({ kind }) => kind) ?? null);
  const inSight = signal<readonly string[]>([]);
  const wanted = signal<readonly string[]>([]);
  const inWindow = signal(true);
  const visibility = new Visibility((tags, isInWindow) =>
    batch(() => {
      inSight.value = tags;
      inWindow.value = isInWindow;
    }),
  );
  const coarseAt = signal<number | null>(null);
  const times = signal<ReadonlyMap<string, Range>>(new Map());
  const axis = options.of(timeAxisOptions);
  const clicks = new StepClicks(axis.linked_step);
  const viewport = channel.addView(until);
  const shown = computed(() => {
    const runs = store.runs.value;
    const some = runs.filter((run) => options.shows(run));
    const named = some.length === runs.length || some.length > MAX_NAMED ? {} : { runs: some };
    return inWindow.value ? named : { ...named, in_window: false as const };
  });
  const ends = [
    () => clearInterval(clock),
    effect(measure),
    effect(() => {
      const time = now.value;
      const coarse = inSight.value.some((tag) => store.isCoarse(kinds.value, tag));
      coarseAt.value = coarse ? (coarseAt.peek() ?? time) : null;
    }),
    effect(() => {
      const visible = [...new Set([...inSight.value, ...wanted.value])];
      const linked = stepNumber(axis.linked_step.value);
      if (timeAxis(axis.x_axis.value) === "step") {
        viewport.report({
          kinds: kinds.value,
          tags: visible,
          range: rangeNumbers(axis.step_range.value),
          near: null,
          linked,
          ...shown.value,
        });
        return;
      }
      const near = visible.filter((tag) => times.value.has(tag));
      const ranges = near
        .map((tag) => stepsInSight(tag, times.value, channel, options))
        .filter((range) => range !== null);
      viewport.report({ kinds: kinds.value, tags: visible, range: union(ranges), near, linked, ...shown.value });
    }),
    effect(() => {
      const count = channel.lag.appliedCount.value;
      if (count > 0) {
        frames.whenDrawn(() => channel.lag.drawn(count));
      }
    }),
    () => frames.stop(),
    () => sizes.disconnect(),
    () => visibility.disconnect(),
  ];
  until.addEventListener(
    "abort",
    () => {
      for (const end of ends) {
        end();
      }
    },
    { once: true },
  );
  return {
    id: `tbwidget-${Math.random().toString(36).slice(2)}`,
    channel,
    root: el,
    options,
    frames,
    theme,
    widthClass,
    isMaximized,
    width: signal(el.clientWidth),
    now,
    tabs,
    panel,
    highlightedRun: signal(null),
    runChoice: signal(null),
    tooltip: signal(null),
    visibility,
    inSight,
    grid: signal(null),
    goal: signal(null),
    wanted,
    cameras: new KeyedSignals<Camera>(WHOLE),
    groups: new KeyedSignals<GroupState>({ open: true, most: MAX_CARDS }),
    times,
    coarseAt,
    until,
    clickStep: (step, count) => clicks.click(step, count),
  };
}

/** The steps that a chart shows of the runs shown; null for all. */
export function stepsInSight(
  tag: string,
  times: ReadonlyMap<string, Range>,
  { store }: Channel,
  options: Options,
): Range | null {
  const { x_axis, step_range } = options.of(timeAxisOptions);
  const axis = timeAxis(x_axis.value);
  const range = times.get(tag);
  if (axis === "step") {
    return rangeNumbers(step_range.value);
  }
  return range === undefined ? null : store.stepsDuring(tag, (run) => options.shows(run), range, axis === "relative");
}

/** Sets which times a chart of these tags shows; null for all. */
export function showTimes({ times }: View, tags: readonly string[], range: Range | null): void {
  if (range !== null || tags.some((tag) => times.peek().has(tag))) {
    const changed = new Map(times.peek());
    for (const tag of tags) {
      changed.delete(tag);
      if (range !== null) {
        changed.set(tag, range);
      }
    }
    times.value = changed;
  }
}

/** The id of the element that is the tooltip. */
export function tooltipId({ id }: View): string {
  return `${id}-tooltip`;
}

export const ViewContext = createContext<View | null>(null);

export function useView(): View {
  const view = useContext(ViewContext);
  if (view === null) {
    throw new Error("no view around this component");
  }
  return view;
}

/** The options that a table declares. */
export function useOptions<C extends OptionTable>(table: C): OptionsOf<C> {
  return useView().options.of(table);
}

/**
 * Call `compute` at most once a second, for values that depend on every series, and at once when a signal changes that it
 * reads. It reads the series, which change with every message, `unfollowed`. `now` is in milliseconds since the epoch.
 */
export function useEverySecond<T>(compute: (now: number) => T): T {
  const { now } = useView();
  return useComputed(() => compute(now.value)).value;
}

/**
 * Compute `all` once a second, as above, and `join` also when the content of the tags on the screen changes, which it follows:
 * the control of steps must not be behind the charts above it.
 */
export function useJoinedOnScreen<T>(all: (now: number) => T, join: (all: T, tags: readonly string[]) => T): T {
  const { now, inSight } = useView();
  const slow = useComputed(() => all(now.value));
  return useComputed(() => join(slow.value, inSight.value)).value;
}

/** The same outside of components. */
export function everySecond<T>({ now }: Pick<View, "now">, compute: (now: number) => T): ReadonlySignal<T> {
  return computed(() => compute(now.value));
}

/** Width of the window in CSS pixels, followed while `follows`; else infinite. */
export function useWindowWidth(follows: boolean): number {
  const [width, setWidth] = useState(() => (follows ? window.innerWidth : 0));
  useLayoutEffect(() => {
    if (!follows) {
      return;
    }
    const follow = () => setWidth(window.innerWidth);
    follow();
    window.addEventListener("resize", follow);
    return () => window.removeEventListener("resize", follow);
  }, [follows]);
  return follows ? width : Number.POSITIVE_INFINITY;
}

/** Whether the element is on the screen, or nearly. */
export function useOnScreen(ref: RefObject<Element | null>): boolean {
  const { visibility } = useView();
  const [visible, setVisible] = useState(false);
  // Before the first frame, so that it shows the cards on the screen.
  useLayoutEffect(() => {
    const element = ref.current;
    return element === null ? undefined : visibility.watch(element, setVisible);
  }, [ref, visibility]);
  return visible;
}
