import { h } from "preact";
import { expect, test } from "vitest";
import { focusBeside, focusRun } from "../../src/dashboard/runs/focus";
import { NoteForm } from "../../src/dashboard/runs/note";
import { ViewContext } from "../../src/ui/view";
import { boardOf } from "../lines/board";
import { rendered } from "../ui/rendering";
import { part } from "../wire/made";

/** The box of run "a", whose note is "old". */
function noteBox() {
  const board = boardOf([part("loss", "a", [0]), part("loss", "b", [0])], { run_notes: { a: "old" } });
  const { view } = board;
  const form = (run: string) =>
    h(ViewContext.Provider, { value: view, children: h(NoteForm, { key: run, run, close: () => page.show(null) }) });
  const page = rendered(form("a"));
  return {
    write: (value: string) => page.root.all("textarea")[0]?.happen("input", { currentTarget: { value } }),
    happen: (element: string, type: string, event: object = {}) =>
      page.root.all(element)[0]?.happen(type, { preventDefault: () => {}, stopPropagation: () => {}, ...event }),
    showOther: () => page.show(form("b")),
    notes: () => Object.fromEntries(view.options.runTable.run_notes.peek()),
    view,
    endView: board.end,
    end: () => {
      page.end();
      board.end();
    },
  };
}

test.each<[string, (box: ReturnType<typeof noteBox>) => void, Record<string, string>]>([
  ["Save", (box) => box.happen("form", "submit"), { a: "new" }],
  ["the close button", (box) => box.happen("button", "click"), { a: "new" }],
  ["the note of another run", (box) => box.showOther(), { a: "new" }],
  ["closing the pane", (box) => box.end(), { a: "new" }],
  ["Escape", (box) => box.happen("form", "keydown", { key: "Escape" }), { a: "old" }],
  ["the end of the view", (box) => box.endView(), { a: "old" }],
])("a note that was written, and then %s", (_, leave, notes) => {
  const box = noteBox();
  box.write("new");
  leave(box);
  expect(box.notes()).toEqual(notes);
  box.end();
});

test("a box without a text removes the note; one that was only opened changes nothing", () => {
  const box = noteBox();
  box.view.options.runTable.run_notes.set(new Map([["a", "set meanwhile"]]));
  box.showOther();
  expect(box.notes()).toEqual({ a: "set meanwhile" });
  box.end();
  const emptied = noteBox();
  emptied.write(" ");
  emptied.happen("form", "submit");
  expect(emptied.notes()).toEqual({});
  emptied.end();
});

/** Rows of runs in a shadow tree, as far as the focus needs them. */
function rowsOf(...runs: readonly string[]) {
  const root = { activeElement: null as unknown };
  const list = { querySelectorAll: () => rows, querySelector: () => null };
  const rows = runs.map((run) => {
    const row = { dataset: { run }, parentElement: list, querySelector: () => button };
    const button = {
      ...{ run, className: "tbwidget-archive-run", closest: () => row, getRootNode: () => root },
      focus: () => {
        root.activeElement = button;
      },
    };
    return row;
  });
  const button = (i: number) => rows[i]?.querySelector() as unknown as HTMLElement;
  const focused = () => (root.activeElement as { run: string } | null)?.run ?? null;
  return { list: list as unknown as ParentNode, button, focused };
}

test("the focus goes from a row that is removed to the next one, or the one before", () => {
  const { button, focused } = rowsOf("a", "b", "c");
  focusBeside(button(1));
  expect(focused()).toBeNull();
  button(1).focus();
  focusBeside(button(1));
  expect(focused()).toBe("c");
  focusBeside(button(2));
  expect(focused()).toBe("b");
});

test("the focus goes from the note of a run to its row", () => {
  const { list, focused } = rowsOf("a", "b");
  focusRun("gone", list);
  expect(focused()).toBeNull();
  focusRun("b", list);
  expect(focused()).toBe("b");
});
