// What cards of all panels have in common: a name, what can be done with it, and a place to draw while it is on the screen.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { strings } from "../lib/strings";
import { useOnScreen, useView } from "./view";

/** What a card draws with. It begins when the card comes onto the screen, and ends when it leaves. */
export interface Drawing {
  showAll(): void;
  end(): void;
}

export interface Drawn {
  /** In another part of the plane than the axes alone would show. */
  zoomed(is: boolean): void;
  lastStep(step: bigint | null): void;
}

interface Props {
  readonly panel: string;
  readonly tag: string;
  readonly label: string;
  /** Beside the name. */
  readonly marks: ComponentChildren;
  readonly log: { readonly on: boolean; readonly hint: string; toggle(): void };
  /** Over the whole line of cards. */
  readonly wide?: boolean;
  /** In CSS pixels, where it is not the usual one. */
  readonly height?: number | undefined;
  /** Draws into an element from now on; called anew when `on` changes. */
  begin(host: HTMLDivElement, drawn: Drawn): Drawing;
  readonly on: unknown;
}

export function Card({ panel, tag, label, marks, log, wide, height, begin, on }: Props) {
  const view = useView();
  const { choices } = view;
  const card = useRef<HTMLElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const beginning = useRef(begin);
  beginning.current = begin;
  const onScreen = useOnScreen(card);
  const zoomed = useSignal(false);
  const pinned = choices.pinned.value.includes(tag);

  useEffect(() => {
    const element = host.current;
    if (!onScreen || element === null || on === undefined) {
      return;
    }
    const made = beginning.current(element, {
      zoomed: (is) => {
        zoomed.value = is;
      },
      lastStep: (step) => setLastStep(card, step),
    });
    drawing.current = made;
    return () => {
      made.end();
      drawing.current = null;
      view.note.value = null;
      zoomed.value = false;
    };
  }, [onScreen, on, view, zoomed]);

  return (
    <article
      ref={card}
      class="tbwidget-card"
      data-panel={panel}
      data-tag={tag}
      data-wide={wide ? "" : undefined}
      style={height === undefined ? undefined : { height: `${height}px` }}
      aria-label={tag}
    >
      <header class="tbwidget-card-header">
        <h4 title={tag}>{label}</h4>
        {marks}
        <span class="tbwidget-card-buttons" data-active={zoomed.value || log.on || pinned ? "" : undefined}>
          {zoomed.value && (
            <button
              type="button"
              class="tbwidget-word"
              title={strings.zoomHint}
              onClick={() => drawing.current?.showAll()}
            >
              {strings.resetZoom}
            </button>
          )}
          <button
            type="button"
            class="tbwidget-word"
            title={log.hint}
            aria-label={log.hint}
            aria-pressed={log.on}
            onClick={() => log.toggle()}
          >
            {strings.log}
          </button>
          <button
            type="button"
            class="tbwidget-pin"
            title={pinned ? strings.unpin : strings.pin}
            aria-label={pinned ? strings.unpin : strings.pin}
            aria-pressed={pinned}
            onClick={() => choices.togglePin(tag)}
          >
            <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
              <path d="M4 1.2h4L7.4 5l1.9 2v1H2.7V7l1.9-2zM6 8v3.3" />
            </svg>
          </button>
        </span>
      </header>
      <div ref={host} class="tbwidget-plot" />
    </article>
  );
}

function setLastStep({ current }: RefObject<HTMLElement | null>, lastStep: bigint | null): void {
  if (lastStep === null) {
    current?.removeAttribute("data-last-step");
  } else {
    current?.setAttribute("data-last-step", lastStep.toString());
  }
}
