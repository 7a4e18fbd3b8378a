// A name that may be too long for its place: what it ends with, which mostly tells it from others, stays in sight.

import { splitsCharacter } from "../lib/names";

/** Names up to this many characters are cut at their end, if at all. */
const SHORT = 22;

/** Characters at the end that stay. */
const LONGEST_END = 26;
const END = 12;

export function Elided({ text }: { readonly text: string }) {
  const end = endOf(text);
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
export function endOf(text: string): number {
  if (text.length <= SHORT) {
    return 0;
  }
  const slash = text.lastIndexOf("/");
  const fromSlash = slash < 0 ? 0 : text.length - slash;
  const end = splitsCharacter(text, text.length - END) ? END + 1 : END;
  return fromSlash > 1 && fromSlash <= LONGEST_END ? fromSlash : end;
}
