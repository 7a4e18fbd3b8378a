import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Message } from "../../src/jupyterlab/host";
import type { Model } from "../../src/wire/model";
import { kernelOf, message, opened } from "./notebook";

/** The arguments of calls of the widget's module. */
interface Calls {
  readonly initialized: Model[];
  readonly rendered: Model[];
}

const SCRIPT = `data:text/javascript,${encodeURIComponent(
  "export default { initialize: ({ model }) => calls.initialized.push(model), render: ({ model }) => calls.rendered.push(model) }",
)}`;
const SHOWN = { id: "id", protocol: 1, state: {} };

const first: Message = message("comm_msg", "id", { method: "custom", content: { status: { cell: true } } });
const el = { replaceChildren: () => undefined } as unknown as HTMLElement;
let calls: Calls;

beforeEach(() => {
  calls = { initialized: [], rendered: [] };
  vi.stubGlobal("calls", calls);
  vi.stubGlobal("document", { createElement: () => ({}) });
  vi.resetModules();
});

afterEach(() => vi.unstubAllGlobals());

async function dashboardsOf(files: { script: string }) {
  const { Dashboards } = await import("../../src/jupyterlab/dashboards");
  const { kernel, control, made } = kernelOf();
  const { comms } = opened(kernel);
  const begun = vi.spyOn(comms, "listen");
  made.resolve({ content: { subshell_id: "sub" } });
  return { dashboards: new Dashboards(comms, files), control, begun };
}

describe("the dashboards of a page", () => {
  it("have one model for all views, until the last one ends", async () => {
    const { dashboards, control, begun } = await dashboardsOf({ script: SCRIPT });
    const views = [new AbortController(), new AbortController()];
    await Promise.all(views.map(({ signal }) => dashboards.render(SHOWN, first, el, signal)));
    expect(calls.initialized).toHaveLength(1);
    expect(calls.rendered).toEqual([calls.initialized[0], calls.initialized[0]]);
    views[0]?.abort();
    expect(control).toHaveLength(1);
    views[1]?.abort();
    expect(control.map(({ content }) => content)).toEqual([{}, { subshell_id: "sub" }]);
    const again = new AbortController();
    await dashboards.render(SHOWN, first, el, again.signal);
    expect(calls.initialized).toHaveLength(2);
    expect(begun).toHaveBeenCalledTimes(2);
    again.abort();
  });

  it("try again where the widget's module could not be loaded", async () => {
    const files = { script: "data:text/javascript,throw new Error('gone')" };
    const { dashboards, control } = await dashboardsOf(files);
    const [failed, other] = [new AbortController(), new AbortController()];
    await expect(dashboards.render(SHOWN, first, el, failed.signal)).rejects.toThrow("gone");
    // The first one has not been released.
    files.script = SCRIPT;
    await dashboards.render(SHOWN, first, el, other.signal);
    expect(calls.rendered).toHaveLength(1);
    failed.abort();
    expect(control.map(({ content }) => content)).toEqual([{}, {}, { subshell_id: "sub" }]);
    const third = new AbortController();
    await dashboards.render(SHOWN, first, el, third.signal);
    expect(calls.initialized).toHaveLength(1);
    other.abort();
    third.abort();
    expect(control).toHaveLength(4);
  });
});
