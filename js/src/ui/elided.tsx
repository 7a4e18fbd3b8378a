// A name that may be too long for its place: what it ends with, which mostly tells it from others, stays in sight.

import { splitsCharacter } from "../lib/names";

/** Names up to this many characters are cut at their end, if at all. */
const SHORT = 22;

/** Characters at the end that stay. */
const LONGEST_END = 26;
const END = 12;

interface Props {
  readonly text: string;
  /** Texts up to this many characters are cut at their end, if at all. */
  readonly short?: number;
}

export function Elided({ text, short = SHORT }: Props) {
  const end = endOf(text, short);
  return end === 0 ? (
    <span>{text}</span>
  ) : (
    <span class="tbwidget-elided">
      <span>{text.slice(0, -end)}</span>
      <span>{text.slice(-end)}</span>
    </span>
  );
}

/**
 * How long the end of a name is that stays, in UTF-16 units: from its last slash, if that is not much; 0 for a short name.
 * It begins with a whole character.
 */
export function endOf(text: string, short = SHORT): number {
  if (text.length <= short) {
    return 0;
  }
  const slash = text.lastIndexOf("/");
  const fromSlash = slash < 0 ? 0 : text.length - slash;
  // The end of a short text takes half of it at most, so that something of its beginning stays.
  const length = text.length > SHORT ? END : Math.min(END, text.length >> 1);
  const end = splitsCharacter(text, text.length - length) ? length + 1 : length;
  return fromSlash > 1 && fromSlash <= LONGEST_END && text.length > SHORT ? fromSlash : end;
}
