import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Dashboards } from "../../src/jupyterlab/dashboards";
import type { Lumino, MimeModel, RenderMime } from "../../src/jupyterlab/host";
import type { LastViewSaver } from "../../src/jupyterlab/lastviewsaver";
import { dashboardFactory, MIME } from "../../src/jupyterlab/renderer";
import { labStrings } from "../../src/lib/labstrings";
import { PROTOCOL } from "../../src/wire/protocol";
import { deferred, kernelOf, opened } from "./notebook";

/** As much of an element as a still picture needs. */
class FakeElement {
  readonly style = {};
  textContent = "";
  readonly children: FakeElement[] = [];
  readonly tag: string;

  constructor(tag: string) {
    this.tag = tag;
  }

  append(...added: FakeElement[]): void {
    this.children.push(...added);
  }

  toggleAttribute(): void {}

  querySelector(tag: string): FakeElement | null {
    return this.all().find((element) => element.tag === tag) ?? null;
  }

  all(): FakeElement[] {
    return [this, ...this.children.flatMap((child) => child.all())];
  }
}

class Widget {
  readonly node: FakeElement;
  isDisposed = false;

  constructor({ node }: { readonly node: FakeElement }) {
    this.node = node;
  }

  dispose(): void {
    this.isDisposed = true;
  }
}

class Panel extends Widget {
  #children: Widget[] = [];

  constructor() {
    super({ node: new FakeElement("div") });
  }

  show(): void {}

  children(): Widget[] {
    return this.#children.filter(({ isDisposed }) => !isDisposed);
  }

  addWidget(widget: Widget): void {
    this.#children.push(widget);
  }
}

const TEXT = "Dashboard(logs='runs')";
const PICTURE = "aGVyZQ==";

/** Shows a saved output in a page whose session gets ready when the test says so. */
async function shown(data: Readonly<Record<string, unknown>>, kernel = false) {
  const ready = deferred<void>();
  const { comms } = opened(kernel ? kernelOf().kernel : null, ready.promise);
  const factory = dashboardFactory({
    lumino: { Widget, Panel } as unknown as Lumino,
    comms,
    dashboards: { prepare: () => undefined } as unknown as Dashboards,
    rendermime: { getFactory: () => undefined } as unknown as RenderMime,
    lastViews: { watch: () => undefined, get: async () => null } as unknown as LastViewSaver,
    keyOf: (id) => id,
  });
  const renderer = factory.createRenderer({ mimeType: MIME });
  const own = { model_id: "id", protocol: PROTOCOL, state: {} };
  await renderer.renderModel({ data: { ...data, [MIME]: own } } as unknown as MimeModel);
  const texts = () => {
    const stills = (renderer as unknown as Panel).children();
    return stills.map(({ node }) =>
      node
        .all()
        .filter(({ tag }) => tag !== "style")
        .map(({ textContent }) => textContent)
        .filter(Boolean),
    );
  };
  return { texts, ready, renderer };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { createElement: (tag: string) => new FakeElement(tag) });
});

afterEach(() => vi.useRealTimers());

it("waits for a kernel, and says that none runs when none was chosen", async () => {
  const picture = await shown({ "image/png": PICTURE, "text/plain": TEXT });
  const text = await shown({ "text/plain": TEXT });
  expect([picture.texts(), text.texts()]).toEqual([
    [[labStrings.asFirst(labStrings.connecting)]],
    [[labStrings.connecting]],
  ]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([picture.texts(), text.texts()]).toEqual([
    [[labStrings.asFirst(labStrings.noKernel)]],
    [[labStrings.noKernel, TEXT]],
  ]);
});

it("waits on for a kernel that runs a cell", async () => {
  const { texts, ready } = await shown({ "text/plain": TEXT }, true);
  ready.resolve();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(texts()).toEqual([[labStrings.connecting]]);
});

it("says nothing more of an output that is gone", async () => {
  const { texts, renderer } = await shown({ "text/plain": TEXT });
  void renderer.renderModel({ data: {} } as unknown as MimeModel);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(texts().flat()).not.toContain(labStrings.noKernel);
});
