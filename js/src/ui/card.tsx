// Cards: a frame with a name, marks and buttons for any panel.

import type { ComponentChildren, RefObject } from "preact";
import { useContext, useRef } from "preact/hooks";
import type { Failure } from "../wire/collection";
import { type CardPlace, cardStyle, PlaceContext } from "./arranging";
import { followCorner, followHeader } from "./carddrag";
import { useSlot } from "./cardwindow";
import { Elided } from "./elided";
import { cardTexts, uiTexts } from "./texts";
import { useView } from "./view";
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
  /** It is the only one of its panel, or shows several tags: there is nothing to pin. */
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

/** Characters of a card's name that always stay visible. */
const MIN_NAME_CHARACTERS = 12;

/** The frame that cards of all panels share. */
export function CardFrame(props: FrameProps) {
  const { panel, tag, tags, label, title = tag, data, marks, buttons, active, waits, only, sized = false } = props;
  const { cardRef, children } = props;
  const { options } = useView();
  const place = useContext(PlaceContext);
  const pinned = options.board.pinned.value.includes(tag);
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
    >
      <header
        class="tbwidget-card-header"
        {...(place !== null && {
          role: "group",
          tabIndex: 0,
          "aria-label": cardTexts().header(title),
          "aria-keyshortcuts": "Alt+ArrowLeft Alt+ArrowRight",
          "data-lm-suppress-shortcuts": "true",
          onPointerDown: (event: PointerEvent) => followHeader(event, place, label),
          onKeyDown: (event: KeyboardEvent) => moveByKeys(event, place, sized),
        })}
      >
        <h4 title={title} style={{ "--tbwidget-name": Math.min(MIN_NAME_CHARACTERS, label.length) }}>
          <Elided text={label} short={MIN_NAME_CHARACTERS} />
        </h4>
        {waits && (
          <span class="tbwidget-waits" role="status" title={uiTexts().waitsForKernelHint}>
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
              aria-label={pinHint}
              aria-pressed={pinned}
              onClick={() => options.togglePin(tag)}
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

/** Alt and an arrow move a card, with Shift they change its size. */
function moveByKeys(event: KeyboardEvent, { key, width, height, pinned, arranging }: CardPlace, sized: boolean): void {
  const across = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  const down = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (!event.altKey || across + down === 0 || event.target !== event.currentTarget) {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  if (!event.shiftKey) {
    arranging.moveBy(key, across + down);
  } else if (sized && !pinned) {
    arranging.resize(key, { width: (width ?? 1) + across, height: (height ?? 1) + down });
  }
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
      <ul class="tbwidget-failures" role="status">
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
