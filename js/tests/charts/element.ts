// An element of 200 × 100 CSS pixels at (10, 20) in the window, as far as pointers need one: Node has events, but no DOM.

export class FakePage extends EventTarget {
  focused = true;
  activeElement: { readonly tagName: string } | null = null;

  hasFocus(): boolean {
    return this.focused;
  }
}

export class FakeElement extends EventTarget {
  readonly clientWidth = 200;
  readonly clientHeight = 100;
  readonly ownerDocument = new FakePage();
  readonly captured: number[] = [];

  getBoundingClientRect() {
    return { left: 10, top: 20, width: this.clientWidth, height: this.clientHeight };
  }

  setPointerCapture(id: number): void {
    this.captured.push(id);
  }

  hasPointerCapture(id: number): boolean {
    return this.captured.includes(id);
  }

  toggleAttribute(_name: string, _on: boolean): void {}

  closest(): null {
    return null;
  }

  /** Dispatches an event at a place in the element; returns whether its default was not prevented. */
  fire(type: string, [x, y]: readonly [number, number], more: object = {}): boolean {
    const event = new Event(type, { cancelable: true });
    const given = {
      clientX: 10 + x,
      clientY: 20 + y,
      pointerId: 1,
      pointerType: "mouse",
      button: 0,
      detail: 1,
      altKey: false,
      shiftKey: false,
      deltaX: 0,
      deltaY: 0,
      deltaMode: 0,
      ...more,
    };
    for (const [name, value] of Object.entries(given)) {
      Object.defineProperty(event, name, { value });
    }
    return this.dispatchEvent(event);
  }

  get element(): HTMLElement {
    return this as unknown as HTMLElement;
  }
}
