// Renders components without a DOM, in a stand-in that has only what Preact uses.

import { type ComponentChild, render } from "preact";

export class FakeNode {
  /** Scroll position, in CSS pixels. */
  scrollTop = 0;
  readonly clientHeight = 210;
  parentNode: FakeNode | null = null;
  readonly childNodes: FakeNode[] = [];
  readonly attributes: unknown[] = [];
  readonly style = { setProperty: () => {} };
  readonly namespaceURI = "http://www.w3.org/1999/xhtml";
  readonly localName: string;
  readonly ownerDocument: object;
  readonly nodeType: number;
  readonly #named = new Map<string, unknown>();
  readonly #listeners = new Map<string, (event: object) => void>();
  data: string;

  constructor(ownerDocument: object, localName: string, nodeType: number, data = "") {
    this.ownerDocument = ownerDocument;
    this.localName = localName;
    this.nodeType = nodeType;
    this.data = data;
  }

  get firstChild(): FakeNode | null {
    return this.childNodes[0] ?? null;
  }

  get nextSibling(): FakeNode | null {
    const all = this.parentNode?.childNodes ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }

  get children(): readonly FakeNode[] {
    return this.childNodes;
  }

  /** All descendants with a tag name. */
  all(name: string): FakeNode[] {
    return this.childNodes.flatMap((node) => [...(node.localName === name ? [node] : []), ...node.all(name)]);
  }

  /** Selectors find nothing: browser tests cover code that uses them. */
  querySelectorAll(): readonly FakeNode[] {
    return [];
  }

  contains(node: unknown): boolean {
    return node === this || this.childNodes.some((child) => child.contains(node));
  }

  getBoundingClientRect() {
    return { width: 50, height: 21 };
  }

  /** A canvas that cannot measure anything. */
  getContext(): null {
    return null;
  }

  get textContent(): string {
    return this.data + this.childNodes.map(({ textContent }) => textContent).join("");
  }

  insertBefore(node: FakeNode, before: FakeNode | null): FakeNode {
    node.remove();
    const at = before === null ? this.childNodes.length : this.childNodes.indexOf(before);
    this.childNodes.splice(at, 0, node);
    node.parentNode = this;
    return node;
  }

  appendChild(node: FakeNode): FakeNode {
    return this.insertBefore(node, null);
  }

  removeChild(node: FakeNode): void {
    node.remove();
  }

  remove(): void {
    const all = this.parentNode?.childNodes;
    all?.splice(all.indexOf(this), 1);
    this.parentNode = null;
  }

  /** Dispatches an event, such as a click. */
  happen(type: string, event: object = {}): void {
    this.#listeners.get(type)?.(event);
  }

  attribute(name: string): unknown {
    return this.#named.get(name) ?? null;
  }

  setAttribute(name: string, value: unknown): void {
    this.#named.set(name, value);
  }

  removeAttribute(name: string): void {
    this.#named.delete(name);
  }

  addEventListener(type: string, listener: (event: object) => void): void {
    this.#listeners.set(type.toLowerCase(), (event) => listener.call(this, { type, ...event }));
  }

  removeEventListener(): void {}

  focus(): void {}

  showModal(): void {}

  close(): void {}

  scrollIntoView(): void {}

  getRootNode(): object {
    return this.ownerDocument;
  }

  querySelector(): null {
    return null;
  }

  closest(): null {
    return null;
  }
}

/** An observer that observes nothing. */
class FakeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Renders a component; returns its root, its text, and a function that removes it. */
export function rendered(child: ComponentChild) {
  const page = {
    createElement: (name: string) => new FakeNode(page, name, 1),
    createElementNS: (_: string, name: string) => new FakeNode(page, name, 1),
    createTextNode: (data: string) => new FakeNode(page, "", 3, data),
    activeElement: null,
    addEventListener: () => {},
  };
  const before = Reflect.get(globalThis, "document");
  Reflect.set(globalThis, "document", page);
  globalThis.MutationObserver ??= FakeObserver as unknown as typeof MutationObserver;
  globalThis.ResizeObserver ??= FakeObserver as unknown as typeof ResizeObserver;
  const root = new FakeNode(page, "div", 1);
  render(child, root as unknown as Element);
  return {
    root,
    text: () => root.textContent,
    /** Renders another component in its place. */
    show: (next: ComponentChild) => render(next, root as unknown as Element),
    end: () => {
      render(null, root as unknown as Element);
      Reflect.set(globalThis, "document", before);
    },
  };
}
