import { effect } from "@preact/signals";
import { afterEach, expect, test, vi } from "vitest";
import { hparams } from "../../../src/panels/hparams/panel";
import { hparamsOf } from "../../../src/panels/hparams/sessions";
import type { Choice } from "../../../src/ui/actions";
import { SweepBoard } from "./board";

const board = new SweepBoard();

afterEach(() => {
  vi.useRealTimers();
  board.end();
});

const listOf = (id: string) => hparams.actions?.find((action) => action.id === id) as Choice;

test("the lists of the toolbar stay unchanged while values of metrics arrive", () => {
  vi.useFakeTimers();
  board.sweep([{ run: "a", hparams: { lr: 0.1 }, metrics: { loss: [3] } }], ["loss"]);
  const goals = listOf("hparams.hparams_goal");
  const lists = [goals, listOf("hparams.hparams_metric")];
  const { view } = board;
  const [said, seen]: [string[][], unknown[]] = [[], []];
  const ends = [
    effect(() => {
      said.push(lists.flatMap((list) => list.values(view).map((value) => list.nameOf(value, view))));
    }),
    effect(() => void seen.push(hparamsOf(view).sessions.value.metrics[0]?.values[0])),
  ];
  vi.advanceTimersByTime(1000);
  const before = said.length;
  board.scalar("a", "loss", [2], 1);
  vi.advanceTimersByTime(1000);
  expect(seen.at(-1)).toBe(2);
  expect(said.length).toBe(before);
  expect(said.at(-1)).toEqual(expect.arrayContaining(["automatic: loss", "loss"]));
  // Both the automatic goal and a chosen one say what they are.
  const hints = goals.values(view).map((value) => goals.hintOf?.(value, view));
  expect(hints).toEqual(Array(2).fill("The metric that colors and ranks the sessions\nloss"));
  for (const end of ends) {
    end();
  }
});
