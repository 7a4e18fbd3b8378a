// A name that may be too long for its place: its end, which usually tells it from others, stays visible.

import { useLayoutEffect, useRef } from "preact/hooks";
import { type Elision, fittedNames, type Measure, splitsCharacter, withEllipsis } from "../lib/names";
import { bisect } from "../lib/search";

/** Names up to this many characters are cut at their end, if at all. */
const SHORT = 22;

/** Least and most characters of the part behind the last slash that stays whole, and of another end. */
const MIN_PART = 4;
const LONGEST_END = 26;
const END = 12;
/** The share of a short name that its end has at most: something of its beginning stays. */
const MAX_PART_SHARE = 2 / 3;
/** Widths and fonts for which the cut names of a list are remembered. */
const MAX_REMEMBERED = 8;
/** Lists are cut for multiples of this width: each width cuts all names of the list, which takes long for many. */
const WIDTH_STEP_PX = 8;

interface Props {
  readonly text: string;
  /** Texts up to this many characters are cut at their end, if at all. */
  readonly short?: number;
  /** The names beside which it stands: no two of them are cut alike. */
  readonly among?: readonly string[];
}

/** The element holds the whole text, which is copied and read aloud. Where it is too long, CSS shows the cut one over it. */
export function Elided({ text, short = SHORT, among }: Props) {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(
    () => observed(element.current as HTMLElement, (room, measure) => cutText(text, room, measure, short, among)),
    [text, short, among],
  );
  return (
    <span ref={element} class="tbwidget-elided">
      {text}
    </span>
  );
}

/** A text that is cut to a width; names of a list all differ from each other. */
export function cutText(
  text: string,
  room: Room,
  measure: Measure,
  short = SHORT,
  among: readonly string[] = [],
): string {
  const listed = fittedAmong(among, room, measure).get(text);
  if (listed !== undefined) {
    return listed.text;
  }
  const from = text.length - endOf(text, short);
  // Folders within folders differ in the inner ones: these are cut last.
  const isNested = text.slice(0, Math.max(0, from - 1)).includes("/");
  const cut = (length: number) => {
    const at = isNested ? from - length : length;
    const whole = splitsCharacter(text, at) ? at + (isNested ? 1 : -1) : at;
    return isNested ? withEllipsis("", text.slice(whole)) : withEllipsis(text.slice(0, whole), text.slice(from));
  };
  const length = bisect(1, from, (some) => measure(cut(some)) <= room.width) - 1;
  return length > 0 ? cut(length) : (fittedNames([text], room.width, measure).get(text) as Elision).text;
}

/**
 * How long the end of a name is that stays, in UTF-16 units: from behind its last slash, if that is a good part of it; 0 for
 * a short name. It begins with a whole character.
 */
export function endOf(text: string, short = SHORT): number {
  if (text.length <= short) {
    return 0;
  }
  const part = text.length - 1 - text.lastIndexOf("/");
  const longest = text.length > SHORT ? LONGEST_END : MAX_PART_SHARE * text.length;
  if (part >= MIN_PART && part <= longest && part < text.length) {
    return withoutEllipsis(text, part);
  }
  const length = text.length > SHORT ? END : Math.min(END, text.length >> 1);
  return withoutEllipsis(text, splitsCharacter(text, text.length - length) ? length + 1 : length);
}

/** An end that begins with an ellipsis leaves it to the beginning, which may get another one. */
function withoutEllipsis(text: string, end: number): number {
  return text[text.length - end] === "…" ? end - 1 : end;
}

/** The width of an element in CSS pixels, and its font. */
interface Room {
  readonly width: number;
  readonly font: string;
}

const known = new WeakMap<readonly string[], Map<string, ReadonlyMap<string, Elision>>>();

function fittedAmong(names: readonly string[], { width, font }: Room, measure: Measure): ReadonlyMap<string, Elision> {
  const byRoom = known.get(names) ?? new Map<string, ReadonlyMap<string, Elision>>();
  known.set(names, byRoom);
  const room = width - (width % WIDTH_STEP_PX);
  const key = `${room} ${font}`;
  const found = byRoom.get(key) ?? fittedNames(names, room, measure);
  // In the order of their last use.
  byRoom.delete(key);
  byRoom.set(key, found);
  if (byRoom.size > MAX_REMEMBERED) {
    byRoom.delete(byRoom.keys().next().value as string);
  }
  return found;
}

type CutTo = (room: Room, measure: Measure) => string;

const cuts = new Map<Element, CutTo>();
let sizes: ResizeObserver | undefined;

/** Keeps the attribute with the cut text of an element in step with its width. */
function observed(element: HTMLElement, cut: CutTo): () => void {
  sizes ??= new ResizeObserver((entries) => {
    const excess = entries.map(({ target }) => target.scrollWidth - target.clientWidth);
    for (const [i, { target, contentRect }] of entries.entries()) {
      const [width, own] = [Math.floor(contentRect.width), cuts.get(target)];
      if (own !== undefined && width > 0 && (excess[i] as number) > 0) {
        const { font } = getComputedStyle(target);
        target.setAttribute("data-cut", own({ width, font }, measureIn(font)));
      } else {
        target.removeAttribute("data-cut");
      }
    }
  });
  cuts.set(element, cut);
  sizes.observe(element);
  return () => {
    cuts.delete(element);
    sizes?.unobserve(element);
    if (cuts.size === 0) {
      sizes?.disconnect();
      sizes = undefined;
    }
  };
}

let canvas: CanvasRenderingContext2D | null | undefined;

function measureIn(font: string): Measure {
  canvas ??= document.createElement("canvas").getContext("2d");
  if (canvas !== null) {
    canvas.font = font;
  }
  return (text) => canvas?.measureText(text).width ?? 0;
}
