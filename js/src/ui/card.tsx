// Cards: a frame with a name, marks and buttons for any panel.

import type { ComponentChildren, RefObject } from "preact";
import { useContext, useRef } from "preact/hooks";
import { place, pointBox } from "../lib/place";
import type { Failure } from "../wire/collection";
import { CARD_GAP, type CardPlace, cardStyle, type DropPart, PlaceContext, pinKey } from "./arranging";
import { cardStop, FixedStopsContext } from "./cardstops";
import { useSlot } from "./cardwindow";
import { Elided } from "./elided";
import { CARD_KEYS } from "./gestures";
import { LAYER } from "./layers";
import { AboutTags, tagHint } from "./tagtitle";
import { cardTexts, uiTexts } from "./texts";
import { useView } from "./view";
import { isRightToLeft } from "./widths";
import "./card.css";

/** Facts of a card's data, whatever their kind. */
export interface CardData {
  readonly failures: ReadonlyMap<string, Pick<Failure, "reason">>;
  /** The content held for each run. */
  readonly byRun?: ReadonlyMap<string, unknown>;
}

export interface FrameProps {
  readonly panel: string;
  readonly tag: string;
  /** All of them, where it shows several. */
  readonly tags?: readonly string[];
  readonly label: string;
  /** The full text of the label; by default the tag. */
  readonly title?: string;
  /** Data of the card: runs whose data cannot be read are listed. */
  readonly data: CardData;
  /** Marks after the name. */
  readonly marks?: ComponentChildren;
  /** Before the button that pins. */
  readonly buttons?: ComponentChildren;
  /** Whether a button stays visible because it is on, or matters now. */
  readonly active?: boolean;
  /** A request to the kernel has not been answered yet. */
  readonly waits?: boolean;
  /** It is the only one of its panel, or shows any tags: there is nothing to pin. */
  readonly only?: boolean;
  /** Over the whole line of cards. */
  readonly wide?: boolean;
  /** Columns of the line of cards that it takes, where it is not one. */
  readonly span?: number;
  /** In CSS pixels, where it is not the usual one. */
  readonly height?: number | undefined;
  /** Its columns and rows can be chosen; cards of other content have the size that this needs. */
  readonly sized?: boolean;
  readonly cardRef?: RefObject<HTMLElement | null>;
  readonly children: ComponentChildren;
}

/** A name up to so many characters is cut at its end, if at all. */
const SHORT_NAME_CHARACTERS = 12;

/** Characters of a card's name that stay visible whatever stands beside it. */
const MIN_NAME_CHARACTERS = 24;

/** The frame that cards of all panels share. */
export function CardFrame(props: FrameProps) {
  const { panel, tag, tags, label, title = tag, data, marks, buttons, active, waits, only, sized = false } = props;
  const { cardRef, children } = props;
  const view = useView();
  const { options } = view;
  const place = useContext(PlaceContext);
  const isFixedStop = useContext(FixedStopsContext);
  const all = tags ?? [tag];
  const pinned = all.every((one) => options.board.pinned.value.includes(one));
  const pinHint = pinned ? uiTexts().unpin : uiTexts().pin;
  const isWide = props.wide === true && !(sized && place?.width != null);
  const own = useRef<HTMLElement>(null);
  const element = cardRef ?? own;
  const shape = { span: props.span, height: props.height, wide: isWide, sized };
  useSlot(element, shape);
  return (
    <article
      ref={element}
      class="tbwidget-card"
      data-panel={panel}
      data-tag={tag}
      data-tags={tags && JSON.stringify(tags)}
      data-wide={isWide ? "" : undefined}
      data-key={place?.key}
      data-pinned={place?.pinned ? "" : undefined}
      data-joins={place?.joins ? "" : undefined}
      style={cardStyle(shape, place)}
      aria-label={title}
      {...(place === null && isFixedStop && cardStop(false))}
      {...(place !== null && {
        ...cardStop(true),
        onKeyDown: (event: KeyboardEvent) => moveByKeys(event, place, sized),
      })}
    >
      <header
        class="tbwidget-card-header"
        onPointerDown={place === null ? undefined : (event) => followHeader(event, place, label)}
      >
        <h4
          aria-label={label}
          title={tagHint(view, tag, title)}
          style={{ "--tbwidget-name": Math.min(MIN_NAME_CHARACTERS, label.length) }}
        >
          <Elided text={label} short={SHORT_NAME_CHARACTERS} />
        </h4>
        <AboutTags tags={all} />
        {waits && (
          <span class="tbwidget-waits" title={uiTexts().waitsForKernelHint}>
            {uiTexts().waitsForKernel}
          </span>
        )}
        {marks}
        <span class="tbwidget-card-buttons" data-active={active || pinned ? "" : undefined}>
          {buttons}
          {!only && (
            <button
              type="button"
              class="tbwidget-pin"
              title={pinHint}
              aria-pressed={pinned}
              onClick={({ currentTarget }) => {
                // This card is gone then; a pointer has no use for the focus.
                if (place !== null && currentTarget.matches(":focus-visible")) {
                  place.arranging.focus = pinned ? tag : pinKey(tag);
                }
                options.togglePins(all);
              }}
            >
              <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
                <path d="M4 1.2h4L7.4 5l1.9 2v1H2.7V7l1.9-2zM6 8v3.3" />
              </svg>
            </button>
          )}
        </span>
      </header>
      <Failures data={data} />
      {children}
      {sized && place !== null && !place.pinned && (
        <span
          class="tbwidget-corner"
          title={cardTexts().corner}
          aria-hidden="true"
          onPointerDown={(event) => followCorner(event, place)}
        />
      )}
    </article>
  );
}

/** The rows of a card that the user changes; a small card has none. */
function rowsOf({ height, small }: CardPlace): number {
  return height ?? (small ? 0 : 1);
}

/** Alt and an arrow move a card, with Shift they change its size. */
function moveByKeys(event: KeyboardEvent, place: CardPlace, sized: boolean): void {
  const { key, width, pinned, arranging } = place;
  const pressed = `Alt+${event.shiftKey ? "Shift+" : ""}${event.key}`;
  const [by, size] = [at(CARD_KEYS.move, pressed), at(CARD_KEYS.resize, pressed)];
  if (!event.altKey || (by === undefined && size === undefined) || event.target !== event.currentTarget) {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  if (by !== undefined) {
    arranging.moveBy(key, by);
  } else if (size !== undefined && sized && !pinned) {
    arranging.resize(key, { width: (width ?? 1) + size.width, height: rowsOf(place) + size.height });
  }
}

function at<T>(keys: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(keys, key) ? keys[key] : undefined;
}

/** Runs whose failures are listed; the others are counted. */
const MAX_FAILURES = 3;

/** Why something of this cannot be read, run by run. */
function Failures({ data }: Pick<FrameProps, "data">) {
  const { options } = useView();
  const failed = [...data.failures].filter(([run]) => run === "" || options.shows(run));
  const more = failed.length - MAX_FAILURES;
  return (
    failed.length > 0 && (
      <ul class="tbwidget-failures">
        {failed.slice(0, MAX_FAILURES).map(([run, { reason }]) => (
          <li key={run} title={uiTexts().failed(run, reason)}>
            {uiTexts().failed(run, reason)}
          </li>
        ))}
        {more > 0 && <li>{uiTexts().moreRuns(more)}</li>}
      </ul>
    )
  );
}

// Cards dragged by their headers, with a pointer or, after a long press, a finger; and their corners, dragged to a size.

/** CSS pixels that a pointer moves before that is a drag. */
const SLACK = 6;

/** Milliseconds that a finger stays before it drags the card and not the page. */
const LONG_PRESS = 400;

/** CSS pixels at the edges of what scrolls within which a drag scrolls it, and by how many a frame. */
const EDGE = 44;
const SPEED = 12;

/** Share of a card at each end where a dropped card is put before or behind it; a drop between the ends joins them. */
const END = 0.28;

/** A card as wide as this share of the panel has others above and below, not beside it. */
const BROAD = 0.6;

/** CSS pixels between the pointer and the dragged label, and between the label and the edge of the dashboard. */
const GHOST_GAP_PX = 12;
const GHOST_MARGIN_PX = 4;

interface Target {
  readonly element: HTMLElement;
  readonly key: string;
  readonly part: DropPart;
}

/** To be called when a pointer goes down on the header of a card. */
function followHeader(event: PointerEvent, place: CardPlace, label: string): void {
  const header = event.currentTarget as HTMLElement;
  const card = header.closest<HTMLElement>(".tbwidget-card");
  const onControl =
    event.target instanceof Element && event.target.closest("button, input, a, output, .tbwidget-popover");
  if (card === null || onControl || event.button !== 0) {
    return;
  }
  const drag = new CardDrag(card, place, label);
  const byFinger = event.pointerType === "touch";
  const { clientX, clientY, pointerId } = event;
  const timer = byFinger ? setTimeout(() => drag.begin(clientX, clientY), LONG_PRESS) : undefined;
  const end = new AbortController();
  const options = { signal: end.signal };
  const { ownerDocument } = card;
  const stop = (dropped: boolean) => {
    clearTimeout(timer);
    end.abort();
    drag.end(dropped);
  };
  ownerDocument.addEventListener(
    "pointermove",
    (move) => {
      if (move.pointerId !== pointerId) {
        return;
      }
      const far = Math.hypot(move.clientX - clientX, move.clientY - clientY) > SLACK;
      if (far && !drag.begun && byFinger) {
        stop(false);
      } else if (far && !drag.begun) {
        drag.begin(move.clientX, move.clientY);
      }
      drag.move(move.clientX, move.clientY);
    },
    options,
  );
  ownerDocument.addEventListener("pointerup", (up) => up.pointerId === pointerId && stop(true), options);
  ownerDocument.addEventListener("pointercancel", (up) => up.pointerId === pointerId && stop(false), options);
  ownerDocument.addEventListener(
    "keydown",
    (key) => {
      if (key.key === "Escape" && drag.begun) {
        key.preventDefault();
        key.stopPropagation();
        stop(false);
      }
    },
    { ...options, capture: true },
  );
  // Once the card is dragged, the page stays where it is.
  header.addEventListener("touchmove", (move) => drag.begun && move.preventDefault(), { ...options, passive: false });
}

class CardDrag {
  begun = false;
  readonly #card: HTMLElement;
  readonly #place: CardPlace;
  readonly #label: string;
  readonly #root: HTMLElement | null;
  /** The element that holds the ghost. A layer covers everything outside itself. */
  readonly #layer: HTMLElement | null;
  readonly #scrolled: HTMLElement | null;
  #ghost: HTMLElement | null = null;
  #target: Target | null = null;
  #at = { x: 0, y: 0 };
  #frame = 0;

  constructor(card: HTMLElement, place: CardPlace, label: string) {
    this.#card = card;
    this.#place = place;
    this.#label = label;
    this.#root = card.closest(".tbwidget");
    this.#layer = card.closest<HTMLElement>(LAYER) ?? this.#root;
    this.#scrolled = card.closest(".tbwidget-main");
  }

  begin(x: number, y: number): void {
    this.begun = true;
    this.#card.dataset.dragged = "";
    this.#root?.setAttribute("data-dragging", "");
    this.#ghost = this.#card.ownerDocument.createElement("div");
    this.#ghost.className = "tbwidget-ghost";
    this.#ghost.textContent = this.#label;
    this.#layer?.append(this.#ghost);
    this.move(x, y);
    this.#frame = requestAnimationFrame(() => this.#scroll());
  }

  move(x: number, y: number): void {
    if (!this.begun) {
      return;
    }
    this.#at = { x, y };
    const box = this.#layer?.getBoundingClientRect();
    if (box !== undefined && this.#ghost !== null) {
      const { left, top } = place({
        anchor: pointBox(x, y),
        size: { width: this.#ghost.offsetWidth, height: this.#ghost.offsetHeight },
        ...{ boundary: box, side: "right", gap: GHOST_GAP_PX, shift: GHOST_GAP_PX, margin: GHOST_MARGIN_PX },
      });
      this.#ghost.style.transform = `translate(${Math.round(left - box.left)}px, ${Math.round(top - box.top)}px)`;
    }
    this.#aim(this.#targetAt(x, y));
  }

  end(dropped: boolean): void {
    cancelAnimationFrame(this.#frame);
    const target = this.#target;
    this.#aim(null);
    this.#ghost?.remove();
    delete this.#card.dataset.dragged;
    this.#root?.removeAttribute("data-dragging");
    if (dropped && this.begun && target !== null) {
      this.#place.arranging.drop(this.#place.key, target.key, target.part);
    }
    this.begun = false;
  }

  #targetAt(x: number, y: number): Target | null {
    const found = this.#card.ownerDocument.elementFromPoint(x, y)?.closest<HTMLElement>(".tbwidget-card");
    const key = found?.dataset.key;
    const isOther = found !== this.#card && found?.closest(".tbwidget-main") === this.#scrolled;
    if (!found || key === undefined || !isOther || "pinned" in found.dataset !== this.#place.pinned) {
      return null;
    }
    const box = found.getBoundingClientRect();
    const broad = box.width > BROAD * (this.#scrolled?.clientWidth ?? 0);
    const share = broad ? (y - box.top) / box.height : (x - box.left) / box.width;
    const joins = this.#place.joins && "joins" in found.dataset;
    const end = joins ? END : 0.5;
    return { element: found, key, part: share < end ? "before" : share >= 1 - end ? "behind" : "onto" };
  }

  #aim(target: Target | null): void {
    if (this.#target !== null && this.#target.element !== target?.element) {
      delete this.#target.element.dataset.drop;
    }
    this.#target = target;
    if (target !== null) {
      const broad = target.element.offsetWidth > BROAD * (this.#scrolled?.clientWidth ?? 0);
      target.element.dataset.drop = broad ? `${target.part} below` : target.part;
    }
  }

  /** At an edge of what scrolls, goes on that way. */
  #scroll(): void {
    const box = this.#scrolled?.getBoundingClientRect();
    if (box !== undefined && this.#scrolled !== null) {
      const by = this.#at.y < box.top + EDGE ? -SPEED : this.#at.y > box.bottom - EDGE ? SPEED : 0;
      const before = this.#scrolled.scrollTop;
      this.#scrolled.scrollTop += by;
      if (this.#scrolled.scrollTop !== before) {
        this.#aim(this.#targetAt(this.#at.x, this.#at.y));
      }
    }
    this.#frame = requestAnimationFrame(() => this.#scroll());
  }
}

/** To be called when a pointer goes down on the corner of a card: it grows and shrinks by whole columns and rows. */
function followCorner(event: PointerEvent, place: CardPlace): void {
  const { key, arranging } = place;
  const corner = event.currentTarget as HTMLElement;
  const card = corner.closest<HTMLElement>(".tbwidget-card");
  const grid = card?.closest<HTMLElement>(".tbwidget-group[data-titled] > .tbwidget-cards, .tbwidget-groups");
  if (!card || !grid || event.button !== 0) {
    return;
  }
  event.preventDefault();
  corner.setPointerCapture(event.pointerId);
  const columns = getComputedStyle(grid).gridTemplateColumns.split(" ").length;
  const unit = {
    width: (grid.clientWidth + CARD_GAP) / columns,
    height: (card.offsetHeight + CARD_GAP) / (rowsOf(place) || 0.5),
  };
  // A small card is half a row high; a drag of some pixels gives it a whole one.
  const before = { width: Math.round((card.offsetWidth + CARD_GAP) / unit.width), height: rowsOf(place) || 0.4 };
  const { clientX, clientY } = event;
  const outwards = isRightToLeft(card) ? -1 : 1;
  const end = new AbortController();
  corner.addEventListener(
    "pointermove",
    (move) => {
      const wide = before.width + (outwards * (move.clientX - clientX)) / unit.width;
      const high = before.height + (move.clientY - clientY) / unit.height;
      arranging.resize(key, { width: Math.round(wide), height: Math.round(high) });
    },
    { signal: end.signal },
  );
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
    corner.addEventListener(name, () => end.abort(), { signal: end.signal });
  }
}
