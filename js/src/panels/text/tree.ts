// Data as a tree that folds. Only its keys and scalars are text: signs between them and counts are drawn by its style sheet,
// so that searches and selections see the text as written.

import { actionAmong, type KeyMap } from "../../charts/keyboard";
import { cellAfter } from "../../ui/roving";
import { breakLongWords } from "./content";
import type { Branch, Data } from "./data";

/** Levels that are open at first. */
const OPEN_LEVELS = 1;

/** Characters of a scalar that is shown on one line until it is opened. */
const MAX_LINE = 120;

/** The keys of a tree. */
export const TREE_KEYS = {
  toggle: { Enter: "toggle", Space: "toggle" },
  open: { ArrowRight: "open" },
  close: { ArrowLeft: "close" },
  move: { ArrowUp: "move", ArrowDown: "move", PageUp: "move", PageDown: "move", Home: "move", End: "move" },
} as const satisfies KeyMap<string>;

const ITEMS = "[role=treeitem]";

/** `label`: names it for screen readers. */
export function treeOf(root: Branch, label: string): HTMLElement {
  const tree = box("tbwidget-tree", "tree");
  tree.setAttribute("aria-label", label);
  tree.dir = "ltr";
  fill(tree, root, 1);
  const [first] = tree.children;
  if (first instanceof HTMLElement) {
    first.tabIndex = 0;
  }
  tree.addEventListener("click", ({ target }) => {
    const clicked = (target as Element).closest<HTMLElement>(`${ITEMS}, [role=group]`);
    // A click that ends a selection folds nothing.
    if (clicked?.matches(ITEMS) && getSelection()?.isCollapsed !== false) {
      toggle(clicked);
      focus(tree, clicked);
    }
  });
  tree.addEventListener("keydown", (event) => press(tree, event));
  return tree;
}

/** Opens the branches around an element of a tree. */
export function openAround(element: Element): void {
  const around = element.closest('.tbwidget-tree [aria-expanded="false"]');
  if (around !== null) {
    around.setAttribute("aria-expanded", "true");
    openAround(around);
  }
}

function fill(parent: HTMLElement, { entries, isList }: Branch, level: number): void {
  for (const [key, value] of entries) {
    const item = box("", "treeitem");
    item.tabIndex = -1;
    const name = document.createElement("bdi");
    name.className = "tbwidget-key";
    if (isList) {
      name.dataset.index = key;
    } else {
      name.textContent = breakLongWords(key);
    }
    const row = document.createElement("div");
    const drawn = shown(value);
    row.append(name, drawn);
    item.append(row);
    if (typeof value !== "string" || value === "") {
      // Content of style sheets gives no name, and the name of a branch would be all of its content.
      item.setAttribute("aria-label", `${key}: ${drawn.dataset.count ?? ""}`);
    }
    if (typeof value !== "string" && value.entries.length > 0) {
      const group = box("", "group");
      fill(group, value, level + 1);
      item.append(group);
      item.setAttribute("aria-expanded", String(level <= OPEN_LEVELS));
    } else if (typeof value === "string" && (value.length > MAX_LINE || value.includes("\n"))) {
      item.setAttribute("aria-expanded", "false");
    }
    parent.append(item);
  }
}

function shown(value: Data): HTMLElement {
  if (typeof value === "string") {
    const scalar = document.createElement("bdi");
    scalar.textContent = breakLongWords(value);
    return scalar;
  }
  const count = document.createElement("i");
  count.dataset.count = value.isList ? `[${value.entries.length || ""}]` : `{${value.entries.length || ""}}`;
  return count;
}

function box(name: string, role: string): HTMLElement {
  const element = document.createElement("div");
  element.className = name;
  element.setAttribute("role", role);
  return element;
}

function toggle(item: Element, open = item.getAttribute("aria-expanded") === "false"): void {
  if (item.hasAttribute("aria-expanded")) {
    item.setAttribute("aria-expanded", String(open));
  }
}

function focus(tree: HTMLElement, item: HTMLElement): void {
  for (const one of tree.querySelectorAll<HTMLElement>('[tabindex="0"]')) {
    one.tabIndex = -1;
  }
  item.tabIndex = 0;
  item.focus();
}

function press(tree: HTMLElement, event: KeyboardEvent): void {
  const item = event.target as HTMLElement;
  const action = event.shiftKey ? undefined : actionAmong<string>(event, TREE_KEYS);
  if (action === undefined) {
    return;
  }
  event.preventDefault();
  const expanded = item.getAttribute("aria-expanded");
  let next: HTMLElement | null | undefined = null;
  if (action === "toggle") {
    toggle(item);
  } else if (action === "open" && expanded !== "true") {
    toggle(item, true);
  } else if (action === "open") {
    next = item.querySelector<HTMLElement>(ITEMS);
  } else if (action === "close" && expanded === "true") {
    toggle(item, false);
  } else if (action === "close") {
    next = item.parentElement?.closest<HTMLElement>(ITEMS);
  } else {
    const items = [...tree.querySelectorAll<HTMLElement>(`${ITEMS}:not([aria-expanded="false"] *)`)];
    const rows = items.map(() => 1);
    next = items[cellAfter(event.key, [items.indexOf(item), 0], rows)?.[0] ?? -1];
  }
  if (next) {
    focus(tree, next);
  }
}
