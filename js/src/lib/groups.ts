// Groups of tags.

export interface TagGroup {
  /** The text before the first slash of its tags; empty for tags without one. */
  readonly name: string;
  readonly tags: readonly { readonly tag: string; readonly label: string }[];
}

/** Up to this many tags stand together, under their full names: each group begins a row of its own. */
const FEW = 6;

/** Sorts tags, which come in their natural order, into groups; those without a group come first. */
export function groupTags(tags: readonly string[]): TagGroup[] {
  const groups = grouped(tags);
  return groups.length > 1 && tags.length <= FEW
    ? [{ name: "", tags: tags.map((tag) => ({ tag, label: tag })) }]
    : groups;
}

function grouped(tags: readonly string[]): TagGroup[] {
  const groups = new Map<string, { tag: string; label: string }[]>([["", []]]);
  for (const tag of tags) {
    const slash = tag.indexOf("/");
    const name = slash > 0 ? tag.slice(0, slash) : "";
    const members = groups.get(name) ?? [];
    members.push({ tag, label: name === "" ? tag : tag.slice(slash + 1) });
    groups.set(name, members);
  }
  return [...groups].filter(([, members]) => members.length > 0).map(([name, members]) => ({ name, tags: members }));
}
