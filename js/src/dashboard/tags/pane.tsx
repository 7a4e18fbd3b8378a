// The pane of tags: a tree by the slashes in their names, which goes to cards and filters them. Only rows in and around its
// viewport are rendered.

import { type Signal, signal, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { formatCount } from "../../lib/format";
import { escapedForPattern } from "../../lib/namematcher";
import type { NameOf } from "../../lib/tagorder";
import type { CardGrid } from "../../ui/cardgrid";
import { Elided } from "../../ui/elided";
import { useRowWindow } from "../../ui/table/windowed";
import { uiTexts } from "../../ui/texts";
import { useView, type View } from "../../ui/view";
import { isRightToLeft } from "../../ui/widths";
import { commandTexts } from "../commands/texts";
import { useKeptScroll } from "../runs/list";
import { PaneResizer } from "../runs/pane";
import { dashboardTexts } from "../texts";
import "./tags.css";

/** Height of a row in CSS pixels. Keep in step with tags.css. */
const ROW_HEIGHT_PX = 22;

/** Up to this many tags, all scopes are open at first. */
const MAX_OPEN_TAGS = 30;

/** Rows that the page keys move by. */
const PAGE = 10;

const openPaths = new WeakMap<View, Signal<ReadonlySet<string> | null>>();

/** The paths that the user has left open; null before that. */
function openOf(view: View): Signal<ReadonlySet<string> | null> {
  const own = openPaths.get(view) ?? signal<ReadonlySet<string> | null>(null);
  openPaths.set(view, own);
  return own;
}

interface Props {
  readonly grid: CardGrid;
  /** Above the tree. */
  readonly children: ComponentChildren;
}

export function Tags({ grid, children }: Props) {
  const view = useView();
  const { tagFilter } = view.options;
  const pane = useRef<HTMLElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  useKeptScroll(scroller, "tags");
  const chosen = openOf(view);
  const { nameOf } = grid;
  const tags = grid.tags.value;
  const paths = chosen.value;
  const matches = tagFilter.matches.value;
  const tagsInSight = view.inSight.value;
  // Not computed signals: these would go on with the grid of the panel that was shown first.
  const tree = useMemo(() => tagTree(tags, nameOf), [tags, nameOf]);
  const open = useMemo(
    () => paths ?? new Set(tree.tags.length <= MAX_OPEN_TAGS ? scopesIn(tree.roots) : []),
    [tree, paths],
  );
  const rows = useMemo(() => tagRows(tree, open), [tree, open]);
  /** How many of the tags before each match the filter. */
  const matching = useMemo(() => sums(tree.tags, matches), [tree, matches]);
  const inSight = useMemo(() => {
    const seen = new Set(tagsInSight);
    return sums(tree.tags, (tag) => seen.has(tag));
  }, [tree, tagsInSight]);
  const active = useSignal(0);
  const at = Math.min(active.value, rows.length - 1);
  const { from, to, above, below, look } = useRowWindow(scroller, rows.length, ROW_HEIGHT_PX);
  const filter = tagFilter.text.value;

  // The row that the keys are at is on the screen.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element !== null && document.activeElement === element) {
      const top = at * ROW_HEIGHT_PX;
      const room = element.clientHeight - ROW_HEIGHT_PX;
      element.scrollTop = Math.min(top, Math.max(top - room, element.scrollTop));
      look();
    }
  }, [at, look]);

  const setOpen = ({ path }: TagNode, isOpen: boolean) => {
    const paths = new Set(open);
    if (isOpen) {
      paths.add(path);
    } else {
      paths.delete(path);
    }
    chosen.value = paths;
  };
  const go = (node: TagNode) => {
    const own = tree.tags.slice(node.from, node.to);
    const pins = view.options.board.pinned.peek();
    const tag = own.find((one) => matches(one) && !pins.includes(one)) ?? own.find(matches) ?? own[0];
    if (tag !== undefined) {
      grid.go(tag);
    }
    if (node.children.length > 0 && !open.has(node.path)) {
      setOpen(node, true);
    }
  };
  const choose = (node: TagNode) => tagFilter.set(filterAfter(tagFilter.text.peek(), node), "typed");
  const press = (event: KeyboardEvent) => {
    const row = rows[at];
    if (row === undefined || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const { node, level } = row;
    const isOpen = open.has(node.path);
    const move = (to: number) => {
      active.value = Math.max(0, Math.min(rows.length - 1, to));
    };
    const [outwards, inwards] = isRightToLeft(scroller.current)
      ? (["ArrowRight", "ArrowLeft"] as const)
      : (["ArrowLeft", "ArrowRight"] as const);
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(at + 1),
      ArrowUp: () => move(at - 1),
      PageDown: () => move(at + PAGE),
      PageUp: () => move(at - PAGE),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      [inwards]: () => (node.children.length === 0 || isOpen ? move(at + 1) : setOpen(node, true)),
      [outwards]: () =>
        isOpen ? setOpen(node, false) : move(rows.findLastIndex((one, i) => i < at && one.level < level)),
      Enter: () => go(node),
      " ": () => choose(node),
    };
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (act !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      act();
    }
  };
  const width = view.options.runTable.runs_width.value;
  return (
    <aside
      ref={pane}
      class="tbwidget-runs tbwidget-tags"
      aria-label={commandTexts().sections.tags}
      style={width === null ? {} : { "--tbwidget-runs-width": `${width}px` }}
    >
      {children}
      <div
        ref={scroller}
        class="tbwidget-tag-scroller"
        role="tree"
        aria-label={commandTexts().sections.tags}
        aria-activedescendant={at >= from && at < to ? `${view.id}-tag-${at}` : undefined}
        tabIndex={0}
        data-rows={rows.length}
        data-lm-suppress-shortcuts="true"
        onScroll={look}
        onKeyDown={press}
      >
        <div style={{ paddingTop: `${above}px`, paddingBottom: `${below}px` }}>
          {rows.slice(from, to).map(({ node, level, place, siblings }, i) => {
            const { path, label, children } = node;
            const isScope = children.length > 0;
            const [count, shown] = [node.to - node.from, between(matching, node)];
            const isPressed = isChosen(filter, node);
            return (
              // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names its active row.
              // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys.
              <div
                key={path}
                id={`${view.id}-tag-${from + i}`}
                class="tbwidget-tag-row"
                role="treeitem"
                aria-level={level}
                aria-posinset={place}
                aria-setsize={siblings}
                aria-expanded={isScope ? open.has(path) : undefined}
                aria-selected={isPressed}
                data-path={path}
                data-active={from + i === at ? "" : undefined}
                data-in-sight={between(inSight, node) > 0 ? "" : undefined}
                data-left-out={shown === 0 ? "" : undefined}
                style={{ "--tbwidget-level": level - 1 }}
                title={`${path}\n${dashboardTexts().tagTree.hint}`}
                onClick={() => {
                  active.value = from + i;
                  go(node);
                }}
              >
                {isScope ? (
                  // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys do the same.
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same.
                  <span
                    class="tbwidget-tag-fold"
                    onClick={(event) => {
                      event.stopPropagation();
                      active.value = from + i;
                      setOpen(node, !open.has(path));
                    }}
                  />
                ) : (
                  <span class="tbwidget-tag-leaf" />
                )}
                <span class="tbwidget-tag-name">
                  <Elided text={label === "" ? uiTexts().emptyTag : label} />
                </span>
                {isScope && (
                  <span class="tbwidget-tag-count">
                    {shown === count ? formatCount(count) : `${formatCount(shown)}/${formatCount(count)}`}
                  </span>
                )}
                <button
                  type="button"
                  class="tbwidget-tag-filter"
                  tabIndex={-1}
                  title={dashboardTexts().tagTree.filter(path)}
                  aria-pressed={isPressed}
                  onClick={(event) => {
                    event.stopPropagation();
                    active.value = from + i;
                    choose(node);
                  }}
                >
                  <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
                    <path d="M1.5 2h9L7.2 6v4L4.8 8.8V6z" />
                  </svg>
                </button>
              </div>
            );
          })}
        </div>
      </div>
      <PaneResizer pane={pane} />
    </aside>
  );
}

/** How many of the tags before each place are counted. */
function sums(tags: readonly string[], counts: (tag: string) => boolean): Uint32Array {
  const found = new Uint32Array(tags.length + 1);
  for (const [i, tag] of tags.entries()) {
    found[i + 1] = (found[i] as number) + Number(counts(tag));
  }
  return found;
}

function between(sums: Uint32Array, { from, to }: TagNode): number {
  return (sums[to] as number) - (sums[from] as number);
}

// Tags as a tree, by the slashes in their names; and the filter that shows some of its branches.

export interface TagNode {
  /** The name up to here; no two nodes have the same. */
  readonly path: string;
  /** The part of it that its parent has not, or all of it; of a scope with a single child, the child's part as well. */
  readonly label: string;
  /** The tag of this name, if there is one. */
  readonly tag: string | null;
  readonly children: readonly TagNode[];
  /** Its tags are those from `from` up to `to` in the order of the tree. */
  readonly from: number;
  readonly to: number;
}

interface TagTree {
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
    const node = { path, label: label || path, tag: own.tag, children, from: ordered.length, to: ordered.length };
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

interface TagRow {
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
