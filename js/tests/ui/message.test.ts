import { signal } from "@preact/signals";
import { h } from "preact";
import { afterEach, expect, test, vi } from "vitest";
import { Dialog } from "../../src/ui/dialog";
import { showMessage } from "../../src/ui/message";
import { type View, ViewContext } from "../../src/ui/view";
import { rendered } from "./rendering";

afterEach(() => vi.useRealTimers());

test("a message is within a modal dialog too, which covers the dashboard, for a moment", () => {
  vi.useFakeTimers();
  const view = { id: "view", tooltip: signal(null) } as unknown as View;
  showMessage("Copied", view);
  const dialog = (modal: boolean) =>
    h(ViewContext.Provider, { value: view }, [
      h(Dialog, { label: "Board", class: "board", modal, closed: () => {}, children: "content" }),
    ]);
  const page = rendered(dialog(true));
  const said = () => page.root.all("p").filter((one) => one.attribute("role") === "status");
  expect(said().map(({ textContent }) => textContent)).toEqual(["Copied"]);
  // In its place, the dashboard shows the message itself.
  page.show(dialog(false));
  expect(said()).toEqual([]);
  vi.advanceTimersByTime(2500);
  page.show(dialog(true));
  expect(said()).toEqual([]);
  page.end();
});
