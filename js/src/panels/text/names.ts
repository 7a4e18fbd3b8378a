// What tags of texts are called.

/** What torch and tensorboardX add to every tag of texts: it means nothing. */
const ADDED = "/text_summary";

export function nameOf(tag: string): string {
  return tag.endsWith(ADDED) ? tag.slice(0, -ADDED.length) : tag;
}
