// Tags in groups, by the text before their first slash.

export interface TagGroup {
  /** The text before the first slash of its tags; empty for tags without one. */
  readonly name: string;
  /** Its name stands above its tags; if not, the tags stand under their full names. */
  readonly titled: boolean;
  readonly tags: readonly { readonly tag: string; readonly label: string }[];
}

/**
 * Up to this many tags stand together, under their full names: each group begins a row of its own. That holds for a single
 * group, too, so that its title does not vanish when another group comes.
 */
const FEW = 6;

/** The name that a tag is known by, if it is not the tag itself. */
export type NameOf = (tag: string) => string;

/** The tag that comes first, and the group that it is in. */
export interface Lead {
  readonly tag: string;
  readonly group: string;
}

/**
 * The lead stands among the tags without a group; where there are none, it stays in its own group, which then comes first.
 * Null where the tag is not there.
 */
export function leadOf(tags: readonly string[], nameOf: NameOf, tag: string | null): Lead | null {
  if (tag === null || !tags.includes(tag)) {
    return null;
  }
  const hasUngrouped = tags.some((one) => groupNameOf(nameOf(one)) === "");
  return { tag, group: hasUngrouped ? "" : groupNameOf(nameOf(tag)) };
}

/**
 * Sorts tags, which come in their natural order, into groups; those without a group come first. Few tags are in the same
 * groups as they would be with others: when these come, no tag goes to another group or place.
 */
export function groupTags(
  tags: readonly string[],
  nameOf: NameOf = (tag) => tag,
  lead: Lead | null = null,
): TagGroup[] {
  const groups = new Map<string, string[]>([["", []]]);
  if (lead !== null) {
    groups.set(lead.group, tags.includes(lead.tag) ? [lead.tag] : []);
  }
  for (const tag of tags) {
    if (tag === lead?.tag) {
      continue;
    }
    const name = groupNameOf(nameOf(tag));
    const members = groups.get(name) ?? [];
    members.push(tag);
    groups.set(name, members);
  }
  const found = [...groups].filter(([, members]) => members.length > 0);
  const together = tags.length <= FEW;
  return found.map(([name, members]) => {
    const titled = name !== "" && !together;
    const label = (tag: string) => nameOf(tag).slice(titled ? name.length + 1 : 0);
    return { name, titled, tags: members.map((tag) => ({ tag, label: label(tag) })) };
  });
}

/** The text before the first slash. */
export function groupNameOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf("/")));
}
