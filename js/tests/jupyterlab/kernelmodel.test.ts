import { describe, expect, it, vi } from "vitest";
import { KernelModel, Sender } from "../../src/jupyterlab/dashboards";
import { header, kernelOf, message, opened } from "./notebook";

const custom = (content: unknown) => ({ method: "custom", content });

describe("the model over a kernel's messages", () => {
  it("keeps messages until a listener is added, and gives buffers as views", () => {
    const model = new KernelModel({}, null);
    model.receive(message("comm_msg", "id", custom(1)));
    const bytes = new Uint8Array([0, 1, 2, 3]).subarray(1, 3);
    model.receive({ ...message("comm_msg", "id", custom(2)), buffers: [bytes, bytes.buffer] });
    const heard: [unknown, number[]][] = [];
    model.on("msg:custom", (content: unknown, buffers: DataView[]) =>
      heard.push([content, buffers.map(({ byteLength }) => byteLength)]),
    );
    model.receive(message("comm_msg", "id", custom(3)));
    expect(heard).toEqual([
      [1, []],
      [2, [2, 4]],
      [3, []],
    ]);
  });

  it("takes over all values before anybody is told, and ignores nonsense", () => {
    const model = new KernelModel({ a: 1 }, null);
    model.on("msg:custom", () => undefined);
    const seen: unknown[] = [];
    model.on("change:a", () => seen.push([model.get("a"), model.get("b")]));
    for (const data of [null, 1, [], { method: "update" }, { method: "update", state: 1 }, { method: "other" }]) {
      model.receive(message("comm_msg", "id", data));
    }
    model.receive(message("comm_msg", "id", { method: "update", state: { a: 2, b: 3 } }));
    expect(seen).toEqual([[2, 3]]);
  });

  it("has a key of its own, which the kernel does not change", () => {
    const [one, other] = [new KernelModel({ _session: "id" }, null), new KernelModel({ _session: "id" }, null)];
    const key = one.get("_session");
    one.on("msg:custom", () => undefined);
    one.receive(message("comm_msg", "id", { method: "update", state: { _session: "id" } }));
    expect(one.get("_session")).toBe(key);
    expect(other.get("_session")).not.toBe(key);
  });

  it("sends changes made here, and accepts changes of other pages but not its own", async () => {
    const { kernel, shell, info } = kernelOf();
    const until = new AbortController();
    const model = new KernelModel({ a: 1 }, new Sender(kernel, "id", until.signal));
    model.on("msg:custom", () => undefined);
    info.resolve({});
    await info.promise;
    model.set("a", 2);
    model.save_changes();
    model.save_changes();
    expect(shell.map(({ content }) => content)).toEqual([
      { comm_id: "id", data: { method: "update", state: { a: 2 }, buffer_paths: [] } },
    ]);
    model.set("a", 5);
    const sent = String(header(shell[0], "msg_id"));
    const echo = { method: "echo_update", state: { a: 2 } };
    model.receive(message("comm_msg", "id", echo, sent));
    expect(model.get("a")).toBe(5);
    model.receive(message("comm_msg", "id", echo, "another"));
    expect(model.get("a")).toBe(2);
    until.abort();
  });
});

describe("messages to a busy kernel", () => {
  it("waits for a subshell, goes there, and ends it", async () => {
    const { kernel, shell, control, made } = kernelOf();
    const until = new AbortController();
    const sender = new Sender(kernel, "id", until.signal);
    sender.send(custom(1));
    expect(shell).toEqual([]);
    made.resolve({ content: { status: "ok", subshell_id: "sub" } });
    await made.promise;
    await Promise.resolve();
    sender.send(custom(2));
    expect(shell.map((sent) => header(sent, "subshell_id"))).toEqual(["sub", "sub"]);
    until.abort();
    expect(control.map((sent) => header(sent, "msg_type"))).toEqual([
      "create_subshell_request",
      "delete_subshell_request",
    ]);
    expect(control[1]?.content).toEqual({ subshell_id: "sub" });
  });

  it("leaves no subshell behind that was made after the end", async () => {
    const { kernel, shell, control, made } = kernelOf();
    const until = new AbortController();
    const sender = new Sender(kernel, "id", until.signal);
    sender.send(custom(1));
    until.abort();
    expect(control).toHaveLength(1);
    made.resolve({ content: { status: "ok", subshell_id: "sub" } });
    await made.promise;
    await Promise.resolve();
    expect(control.map(({ content }) => content)).toEqual([{}, { subshell_id: "sub" }]);
    expect(shell).toEqual([]);
  });

  it("goes to the main shell where there are no subshells", () => {
    vi.useFakeTimers();
    try {
      const { kernel, shell } = kernelOf();
      const until = new AbortController();
      const sender = new Sender(kernel, "id", until.signal);
      for (let number = 0; number < 1000; number++) {
        sender.send(custom(number));
      }
      vi.advanceTimersByTime(4000);
      expect(shell).toHaveLength(100);
      expect(header(shell[0], "subshell_id")).toBeUndefined();
      until.abort();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("comm messages that a page receives", () => {
  it("knows which were opened before its eyes, until they close or the kernel ends", () => {
    const { comms, iopub, status, changed } = opened();
    iopub.emit(message("comm_open", "a"));
    iopub.emit(message("comm_open", "b"));
    iopub.emit(message("comm_msg", "c"));
    iopub.emit(message("comm_close", "a"));
    expect(["a", "b", "c"].map((id) => comms.wasOpened(id))).toEqual([false, true, false]);
    changed.emit({ oldValue: null });
    status.emit("busy");
    expect(comms.wasOpened("b")).toBe(true);
    status.emit("restarting");
    expect(comms.wasOpened("b")).toBe(false);
  });

  it("gives each listener the messages of its comm, and leaves nothing behind", () => {
    const { comms, iopub, status, changed, disposed } = opened();
    const until = new AbortController();
    const heard: string[] = [];
    comms.listen("a", ({ header }) => heard.push(header.msg_type), until.signal);
    iopub.emit(message("comm_msg", "a"));
    iopub.emit(message("comm_msg", "b"));
    iopub.emit(message("stream", "a"));
    until.abort();
    iopub.emit(message("comm_close", "a"));
    expect(heard).toEqual(["comm_msg"]);
    disposed.emit(undefined);
    expect([iopub, status, changed, disposed].map(({ slots }) => slots.size)).toEqual([0, 0, 0, 0]);
  });
});
