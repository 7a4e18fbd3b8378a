// A name that may be too long for its place: its end, which usually tells it from others, stays visible.

import { useLayoutEffect, useRef } from "preact/hooks";
import { partsApart, type Span, splitsCharacter } from "../lib/names";
import { bisect } from "../lib/search";
import { isRightToLeft } from "./widths";

/** Names up to this many characters are cut at their end, if at all. */
const SHORT = 22;

/** Least and most characters of the part behind the last slash that stays whole, and of another end. */
const MIN_PART = 4;
const LONGEST_END = 26;
const END = 12;
/** Characters of the end of a name in a list, which may be narrow. */
const END_IN_LIST = 6;
/** The share of a short name that its end has at most: something of its beginning stays. */
const MAX_PART_SHARE = 2 / 3;
/** A part with more of its name would be cut where there is room for all, since its width is limited. */
const MAX_KEPT_SHARE = 3 / 4;

interface Props {
  readonly text: string;
  /** Texts up to this many characters are cut at their end, if at all. */
  readonly short?: number;
  /** The names beside which it stands: what tells it from them stays, wherever in it that is. */
  readonly among?: readonly string[];
}

export function Elided({ text, short = SHORT, among }: Props) {
  const end = endOf(text, short);
  const [from, to] = (among && keptPart(text, among)) ?? [text.length - end, text.length];
  const start = useRef<HTMLSpanElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text may have the same width
  useLayoutEffect(() => (start.current === null ? undefined : closesGap(start.current)), [text, from, to]);
  if (to === from || to - from === text.length) {
    return <span>{text}</span>;
  }
  const rest = text.slice(0, from);
  // Folders within folders differ in the inner ones: these are cut last.
  const isNested = rest.slice(0, -1).includes("/");
  return (
    <span class="tbwidget-elided">
      <span ref={start} class={isNested ? "tbwidget-nested" : undefined}>
        {isNested ? <bdi>{rest}</bdi> : rest}
      </span>
      <span>{text.slice(from, to)}</span>
      {to < text.length && <span>{text.slice(to)}</span>}
    </span>
  );
}

function endInList({ length }: string): number {
  return length <= END_IN_LIST ? length : Math.min(END_IN_LIST, Math.floor(MAX_PART_SHARE * length));
}

const known = new WeakMap<readonly string[], ReturnType<typeof partsApart>>();

/** The part of a name in a list that is cut last, from and to; all of it where that is nearly all. */
export function keptPart(name: string, names: readonly string[]): Span | undefined {
  const part = keptParts(names).get(name);
  return part !== undefined && part[1] - part[0] > MAX_KEPT_SHARE * name.length ? [0, name.length] : part;
}

function keptParts(names: readonly string[]): ReturnType<typeof partsApart> {
  const parts = known.get(names) ?? partsApart(names, endInList);
  known.set(names, parts);
  return parts;
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

let sizes: ResizeObserver | undefined;
let observed = 0;

/** Keeps the end of a name next to the ellipsis before it, which browsers place behind whole characters alone. */
function closesGap(start: HTMLElement): () => void {
  sizes ??= new ResizeObserver((entries) => {
    const gaps = entries.map(({ target, contentRect }) => gapBehind(target as HTMLElement, contentRect.width));
    for (const [i, { target }] of entries.entries()) {
      const gap = gaps[i] as number;
      const isMirrored = isRightToLeft(target as HTMLElement);
      const shift = isMirrored ? gap : -gap;
      for (let next = target.nextElementSibling; next !== null; next = next.nextElementSibling) {
        (next as HTMLElement).style.transform = gap === 0 ? "" : `translateX(${shift}px)`;
      }
      const [right, left] = isMirrored ? [0, gap] : [gap, 0];
      (target as HTMLElement).style.clipPath = gap === 0 ? "" : `inset(0 ${right}px 0 ${left}px)`;
    }
  });
  sizes.observe(start);
  observed += 1;
  return () => {
    sizes?.unobserve(start);
    observed -= 1;
    if (observed === 0) {
      sizes?.disconnect();
      sizes = undefined;
    }
  };
}

let canvas: CanvasRenderingContext2D | null | undefined;

/**
 * CSS pixels that are empty behind the ellipsis of an element so wide; 0 where all of its text is shown. The browser's ellipsis
 * counts as empty where it follows one of the text itself.
 */
function gapBehind(element: HTMLElement, width: number): number {
  const [text] = element.childNodes;
  if (!(text instanceof Text) || element.scrollWidth <= Math.ceil(width)) {
    return 0;
  }
  canvas ??= document.createElement("canvas").getContext("2d");
  if (canvas === null) {
    return 0;
  }
  canvas.font = getComputedStyle(element).font;
  const room = width - canvas.measureText("…").width;
  const range = document.createRange();
  range.setStart(text, 0);
  const widthOf = (length: number) => {
    range.setEnd(text, length);
    return range.getBoundingClientRect().width;
  };
  const fits = bisect(1, text.length, (length) => widthOf(length) <= room) - 1;
  const isDoubled = text.data[fits - 1] === "…";
  return Math.max(0, (isDoubled ? width : room) - (fits === 0 ? 0 : widthOf(fits)));
}
