import { signal } from "@preact/signals";
import { h } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import { Expandable } from "../../src/ui/expandable";
import { showMessage } from "../../src/ui/message";
import { type View, ViewContext } from "../../src/ui/view";
import { rendered } from "./rendering";

afterEach(() => vi.useRealTimers());

test("a message is within what covers the window, too, for a moment", () => {
  vi.useFakeTimers();
  const view = { id: "view", tooltip: signal(null) } as unknown as View;
  showMessage("Copied", view);
  const board = (expanded: boolean) =>
    h(ViewContext.Provider, { value: view }, [
      h(Expandable, { label: "Board", class: "board", expanded, leave: () => {}, children: "content" }),
    ]);
  const page = rendered(board(true));
  const said = () => page.root.all("p").filter((one) => one.attribute("role") === "status");
  expect(said().map(({ textContent }) => textContent)).toEqual(["Copied"]);
  // In its place, the dashboard shows the message itself.
  page.show(board(false));
  expect(said()).toEqual([]);
  vi.advanceTimersByTime(2500);
  page.show(board(true));
  expect(said()).toEqual([]);
  page.end();
});
