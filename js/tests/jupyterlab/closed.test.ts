// A closed dashboard's output in the pages that show it.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Message, MimeModel, Renderer } from "../../src/jupyterlab/host";
import { dashboardFactory, MIME, type Page } from "../../src/jupyterlab/renderer";
import { kernelOf, opened } from "./notebook";

const VIEW = "application/vnd.jupyter.widget-view+json";

class Panel {
  readonly node = {};
  hidden = false;
  children(): [] {
    return [];
  }
  addWidget(): void {}
  dispose(): void {}
  hide(): void {
    this.hidden = true;
  }
  show(): void {
    this.hidden = false;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    "MutationObserver",
    class {
      observe(): void {}
      disconnect(): void {}
    },
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A page that shows a dashboard by the widget manager; the output's data count their changes. */
async function shown() {
  const { comms, iopub } = opened(kernelOf().kernel);
  vi.spyOn(comms, "wasOpened").mockReturnValue(true);
  const view = {
    node: { firstElementChild: {}, style: {} },
    hide: () => {},
    show: () => {},
    renderModel: async () => {},
  };
  const getFactory = vi.fn(() => ({ createRenderer: () => view }));
  getFactory.mockReturnValueOnce(undefined as never);
  const page = {
    lumino: { Panel },
    comms,
    dashboards: {},
    rendermime: { getFactory },
    lastViews: { watch: () => {}, forget: () => {} },
    keyOf: (id: string) => id,
  };
  const factory = dashboardFactory(page as unknown as Page);
  const renderer = factory.createRenderer({ mimeType: MIME }) as Renderer & Panel;
  const mime = {
    data: { [MIME]: { model_id: "it", protocol: -1 }, [VIEW]: { model_id: "it" } } as Record<string, unknown>,
    changes: 0,
    setData({ data }: { readonly data: Readonly<Record<string, unknown>> }): void {
      this.data = data;
      this.changes += 1;
    },
  };
  await renderer.renderModel(mime as MimeModel);
  const close = (session: string) =>
    iopub.emit({
      header: { msg_type: "comm_close" },
      parent_header: { session },
      content: { comm_id: "it" },
    } as unknown as Message);
  return { renderer, mime, close };
}

test("the page that closed a dashboard marks the output at once, once", async () => {
  const { renderer, mime, close } = await shown();
  close("client");
  expect([renderer.hidden, mime.changes, mime.data[VIEW]]).toEqual([true, 1, { model_id: "" }]);
  vi.advanceTimersByTime(60_000);
  expect(mime.changes).toBe(1);
});

test("another page leaves that to it, and does it only if no page has", async () => {
  const [first, second] = [await shown(), await shown()];
  for (const { renderer, mime, close } of [first, second]) {
    close("another page");
    expect([renderer.hidden, mime.changes]).toEqual([true, 0]);
  }
  vi.advanceTimersByTime(1000);
  // The shared notebook brings the other page's mark.
  const marked = { data: { ...first.mime.data, [VIEW]: { model_id: "" } }, setData: expect.unreachable };
  await first.renderer.renderModel(marked as unknown as MimeModel);
  vi.advanceTimersByTime(60_000);
  expect([first.mime.changes, first.renderer.hidden]).toEqual([0, true]);
  expect([second.mime.changes, second.mime.data[VIEW]]).toEqual([1, { model_id: "" }]);
});
