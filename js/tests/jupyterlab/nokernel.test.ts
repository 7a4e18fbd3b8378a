// The message in an output whose notebook has no kernel.

import { expect, test, vi } from "vitest";
import type { MimeModel, Renderer } from "../../src/jupyterlab/host";
import { dashboardFactory, MIME, type Page } from "../../src/jupyterlab/renderer";
import { labTexts } from "../../src/jupyterlab/texts";
import { PROTOCOL } from "../../src/wire/columns";
import { deferred, opened } from "./notebook";

class Element {
  readonly style = {};
  readonly children: Element[] = [];
  textContent = "";
  append(...children: Element[]): void {
    this.children.push(...children);
  }
  querySelector(): null {
    return null;
  }
}

test("a notebook for which no kernel is chosen does not say for ever that it waits for one", async () => {
  vi.useFakeTimers();
  vi.stubGlobal("document", { createElement: () => new Element() });
  let said = "";
  class Widget {
    isDisposed = false;
    constructor({ node }: { readonly node: Element }) {
      said = node.children[0]?.textContent ?? "";
    }
    dispose(): void {
      said = "";
    }
  }
  class Panel {
    readonly node = {};
    children(): [] {
      return [];
    }
    addWidget(): void {}
    dispose(): void {}
    show(): void {}
  }
  const { comms } = opened();
  // JupyterLab's session is not ready before a kernel is chosen.
  Object.assign(comms.session, { ready: deferred().promise });
  const page = {
    lumino: { Panel, Widget },
    comms,
    dashboards: { prepare: () => {} },
    rendermime: { getFactory: () => undefined },
    lastViews: { watch: () => {}, get: async () => null },
    keyOf: (id: string) => id,
  };
  const renderer = dashboardFactory(page as unknown as Page).createRenderer({ mimeType: MIME }) as Renderer;
  const data = { [MIME]: { model_id: "it", protocol: PROTOCOL }, "text/plain": "Dashboard(…)" };
  await renderer.renderModel({ data } as unknown as MimeModel);
  expect(said).toBe(labTexts().connecting);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(said).toBe(labTexts().noKernel);
  renderer.dispose();
  expect(vi.getTimerCount()).toBe(0);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});
