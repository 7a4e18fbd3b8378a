// Tags as a tree, by the slashes in their names; and the filter that shows some of its branches.

import type { NameOf } from "./groups";
import { escapedForPattern } from "./namematcher";

export interface TagNode {
  /** The name up to here; no two nodes have the same. */
  readonly path: string;
  /** The part of it that its parent has not; of a scope with a single child, the child's part as well. */
  readonly label: string;
  /** The tag of this name, if there is one. */
  readonly tag: string | null;
  readonly children: readonly TagNode[];
  /** Its tags are those from `from` up to `to` in the order of the tree. */
  readonly from: number;
  readonly to: number;
}

export interface TagTree {
  readonly roots: readonly TagNode[];
  /** All tags, in the order of the tree. */
  readonly tags: readonly string[];
}

interface Growing {
  readonly children: Map<string, Growing>;
  tag: string | null;
}

/** `tags` come in their natural order. */
export function tagTree(tags: readonly string[], nameOf: NameOf = (tag) => tag): TagTree {
  const root: Growing = { children: new Map(), tag: null };
  for (const tag of tags) {
    let node = root;
    for (const part of nameOf(tag).split("/")) {
      const child = node.children.get(part) ?? { children: new Map(), tag: null };
      node.children.set(part, child);
      node = child;
    }
    // Two tags may have one name: the second has a node below.
    if (node.tag === null) {
      node.tag = tag;
    } else {
      node.children.set(tag, { children: new Map(), tag });
    }
  }
  const ordered: string[] = [];
  const roots: TagNode[] = [];
  // No recursion: tags nested thousands of levels deep must not end the page's stack.
  const work: (() => void)[] = [];
  /** The first child is put last, because the last is taken first. */
  const later = (children: ReadonlyMap<string, Growing>, before: string, into: TagNode[]) => {
    for (const [part, child] of [...children].reverse()) {
      work.push(() => add(part, before, child, into));
    }
  };
  const add = (part: string, before: string, grown: Growing, into: TagNode[]) => {
    let [label, own] = [part, grown];
    while (own.tag === null && own.children.size === 1) {
      const [[next, only]] = own.children as unknown as [[string, Growing]];
      [label, own] = [`${label}/${next}`, only];
    }
    const path = before + label;
    const children: TagNode[] = [];
    const node = { path, label, tag: own.tag, children, from: ordered.length, to: ordered.length };
    into.push(node);
    if (own.tag !== null) {
      ordered.push(own.tag);
    }
    work.push(() => {
      node.to = ordered.length;
    });
    later(own.children, `${path}/`, children);
  };
  later(root.children, "", roots);
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    next();
  }
  return { roots, tags: ordered };
}

/** The paths of all nodes that have children. */
export function scopesIn(roots: readonly TagNode[]): string[] {
  const scopes: string[] = [];
  const left = [...roots];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.children.length > 0) {
      scopes.push(node.path);
      for (const child of node.children) {
        left.push(child);
      }
    }
  }
  return scopes;
}

export interface TagRow {
  readonly node: TagNode;
  /** From 1 on. */
  readonly level: number;
  /** Its place among the children of its parent, from 1 on, and how many these are. */
  readonly place: number;
  readonly siblings: number;
}

/** The rows of a tree in which these paths are open. */
export function tagRows({ roots }: TagTree, open: ReadonlySet<string>): TagRow[] {
  const rows: TagRow[] = [];
  const left: TagRow[] = [];
  const add = (nodes: readonly TagNode[], level: number) => {
    for (let i = nodes.length - 1; i >= 0; i--) {
      left.push({ node: nodes[i] as TagNode, level, place: i + 1, siblings: nodes.length });
    }
  };
  add(roots, 1);
  for (let row = left.pop(); row !== undefined; row = left.pop()) {
    rows.push(row);
    if (open.has(row.node.path)) {
      add(row.node.children, row.level + 1);
    }
  }
  return rows;
}

/** The alternatives of a filter that shows the tags of a node. */
function alternativesOf({ path, tag, children }: TagNode): string[] {
  return [
    ...(children.length > 0 ? [`^${escapedForPattern(path)}/`] : []),
    ...(tag === null ? [] : [`^${escapedForPattern(tag)}$`]),
  ];
}

/** The alternatives that a filter is made of; none where it was typed otherwise. */
function alternativesIn(filter: string): readonly string[] {
  const parts = filter.split(/(?<!\\)\|/);
  return parts.every((part) => /^\^.*[/$]$/s.test(part)) ? parts : [];
}

/** Whether a filter shows the tags of a node because that node was chosen. */
export function isChosen(filter: string, node: TagNode): boolean {
  const parts = new Set(alternativesIn(filter));
  return alternativesOf(node).every((part) => parts.has(part));
}

/** The filter after a node has been chosen, or is no longer. It replaces a filter that was typed. */
export function filterAfter(filter: string, node: TagNode): string {
  const own = alternativesOf(node);
  const parts = alternativesIn(filter);
  const others = parts.filter((part) => !own.includes(part));
  return (isChosen(filter, node) ? others : [...others, ...own]).join("|");
}
