// The texts that the writers of tags gave them for people.

/** A display name and a description, and the runs in which a tag has both. */
export interface TagText {
  /** Empty where it is the tag itself. */
  readonly name: string;
  /** Markdown; may be empty. */
  readonly description: string;
  /** The description is longer than what has come of it. */
  readonly isCut: boolean;
  /** The first of the runs, and the number of further ones. */
  readonly runs: readonly string[];
  readonly others: number;
}

/** By kind and tag, in the order of the runs. Tags without any are absent. */
export type TagTexts = ReadonlyMap<string, ReadonlyMap<string, readonly TagText[]>>;

export const NO_TAG_TEXTS: TagTexts = new Map();

/** The name that a tag is shown by: that of the first run that has one; null without any. */
export function displayName(texts: TagTexts, kinds: readonly string[], tag: string): string | null {
  return textsOf(texts, kinds, tag).find(({ name }) => name !== "")?.name ?? null;
}

/** The texts of a tag of one of these kinds. */
export function textsOf(texts: TagTexts, kinds: readonly string[], tag: string): readonly TagText[] {
  for (const kind of texts.size === 0 ? [] : kinds) {
    const found = texts.get(kind)?.get(tag);
    if (found !== undefined) {
      return found;
    }
  }
  return [];
}

/** All display names of each tag that has any. */
export function namesByTag(texts: TagTexts): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [tag, variants] of [...texts.values()].flatMap((tags) => [...tags])) {
    const names = variants.flatMap(({ name }) => (name === "" ? [] : [name]));
    if (names.length > 0) {
      found.set(tag, [...(found.get(tag) ?? []), ...names]);
    }
  }
  return found;
}
