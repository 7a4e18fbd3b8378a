import { expect, test } from "vitest";
import { patchDroppedMessages } from "../../src/wire/hostkernel";
import type { Model } from "../../src/wire/model";

class Base {
  readonly heard: unknown[] = [];
  callback: (message: unknown) => unknown = () => undefined;
  readonly comm = {
    on_msg: (callback: (message: unknown) => unknown) => {
      this.callback = callback;
    },
  };
  async _handle_comm_msg(message: unknown): Promise<void> {
    if (message === "bad") {
      throw new Error("a bad message");
    }
    this.heard.push(message);
  }
}

/** Waits for its module before it passes on a message, like anywidget's model. */
class Waiting extends Base {
  ready: Promise<void> = Promise.resolve();
  override async _handle_comm_msg(message: unknown): Promise<void> {
    await this.ready;
    return super._handle_comm_msg(message);
  }
}

function modelOf(host: unknown): Model {
  const asked = { get_model: async (id: string) => (id === "own" ? host : undefined) };
  return { widget_manager: asked } as unknown as Model;
}

test("a model whose module came in time hears as ever, once", async () => {
  const host = new Waiting();
  await patchDroppedMessages(modelOf(host), "own");
  await host.callback("news");
  expect(host.heard).toEqual(["news"]);
});

test("one whose module came late hears too", async () => {
  const host = new Waiting();
  host.ready = Promise.reject(new Error("[anywidget] Failed to initialize model."));
  await patchDroppedMessages(modelOf(host), "own");
  await host.callback("news");
  await host.callback("more");
  expect(host.heard).toEqual(["news", "more"]);
});

test("other failures stay what they are", async () => {
  const host = new Waiting();
  await patchDroppedMessages(modelOf(host), "own");
  await expect(host.callback("bad")).rejects.toThrow("a bad message");
});

test("hosts without any of this are left alone", async () => {
  const plain = new Base();
  const before = plain.callback;
  for (const host of [plain, undefined, {}, { comm: {} }]) {
    await patchDroppedMessages(modelOf(host), "own");
  }
  expect(plain.callback).toBe(before);
  await patchDroppedMessages({} as Model, "own");
});
