// Tags in groups, by the text before their first slash.

import { measureOf } from "./headline";
import { compareNatural } from "./natural";

export interface TagGroup {
  /** The text before the first slash of its tags; empty for tags without one. */
  readonly name: string;
  /** Its name stands above its tags; if not, the tags stand under their full names. */
  readonly titled: boolean;
  readonly tags: readonly { readonly tag: string; readonly label: string }[];
}

/**
 * Up to this many tags stand together, under their full names. That holds for a single group, too, so that its title does not
 * vanish when another group comes.
 */
const MAX_UNGROUPED_TAGS = 6;

/** The name that a tag is known by, if it is not the tag itself. */
export type NameOf = (tag: string) => string;

/** The tags that come first: one that leads, and its kin. */
export interface Lead {
  readonly tags: readonly string[];
  /** The group that they are in. */
  readonly group: string;
}

/**
 * The lead stands with its kin, which measure the same in training, validation or test, among the tags without a group; where
 * there are none, and all of them are in one group, that comes first. Null where the tag is not there.
 */
export function leadOf(tags: readonly string[], nameOf: NameOf, tag: string | null): Lead | null {
  if (tag === null || !tags.includes(tag)) {
    return null;
  }
  const measure = measureOf(nameOf(tag));
  const kin = tags.filter((one) => one !== tag && measure !== "" && measureOf(nameOf(one)) === measure);
  const all = [tag, ...kin];
  const [group = "", ...others] = new Set(all.map((one) => groupNameOf(nameOf(one))));
  const hasUngrouped = tags.some((one) => groupNameOf(nameOf(one)) === "");
  return { tags: all, group: hasUngrouped || others.length > 0 ? "" : group };
}

/** The order of the tags of a group: those that lead first; without a group, kin stand together. */
export function compareIn(group: string, nameOf: NameOf, lead: Lead | null): (one: string, other: string) => number {
  const places = new Map(lead?.tags.map((tag, i) => [tag, i - lead.tags.length]));
  // A sort compares each tag many times.
  const measures = new Map<string, string>();
  const measure = (tag: string) => {
    const known = group === "" ? measures.get(tag) : "";
    const found = known ?? measureOf(nameOf(tag));
    if (known === undefined) {
      measures.set(tag, found);
    }
    return found;
  };
  return (one, other) =>
    (places.get(one) ?? 0) - (places.get(other) ?? 0) ||
    compareNatural(measure(one), measure(other)) ||
    compareNatural(one, other);
}

/**
 * Sorts tags, which come in their natural order, into groups; those without a group come first. A tag is in the same group
 * and place whichever others there are: when these come, nothing moves. So a group of one tag is a group as well, but for
 * its title.
 */
export function groupTags(
  tags: readonly string[],
  nameOf: NameOf = (tag) => tag,
  lead: Lead | null = null,
): TagGroup[] {
  const leading = new Set(lead?.tags);
  const there = new Set(tags);
  const groups = new Map<string, string[]>([["", []]]);
  if (lead !== null) {
    groups.set(
      lead.group,
      lead.tags.filter((tag) => there.has(tag)),
    );
  }
  for (const tag of tags) {
    if (leading.has(tag)) {
      continue;
    }
    const name = groupNameOf(nameOf(tag));
    const members = groups.get(name) ?? [];
    members.push(tag);
    groups.set(name, members);
  }
  groups.get("")?.sort(compareIn("", nameOf, lead));
  const found = [...groups].filter(([, members]) => members.length > 0);
  const together = tags.length <= MAX_UNGROUPED_TAGS;
  return found.map(([name, members]) => {
    const titled = name !== "" && !together && members.length > 1;
    const label = (tag: string) => nameOf(tag).slice(titled ? name.length + 1 : 0);
    return { name, titled, tags: members.map((tag) => ({ tag, label: label(tag) })) };
  });
}

/** The text before the first slash. */
export function groupNameOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf("/")));
}
