// The keys of a stage of points.

import { type KeyMap, ZOOM_KEYS } from "../../charts/keyboard";

export type StageAction =
  | { readonly does: "turn" | "move"; readonly right: number; readonly down: number }
  | { readonly does: "zoom"; readonly factor: number }
  | { readonly does: "all" | "select" }
  | { readonly does: "point"; readonly by: 1 | -1 };

const arrows = (does: "turn" | "move") =>
  ({
    left: { does, right: -1, down: 0 },
    right: { does, right: 1, down: 0 },
    up: { does, right: 0, down: -1 },
    down: { does, right: 0, down: 1 },
  }) as const;

const [turn, move] = [arrows("turn"), arrows("move")];

export const STAGE_KEYS = {
  turn: { ArrowLeft: turn.left, ArrowRight: turn.right, ArrowUp: turn.up, ArrowDown: turn.down },
  move: {
    "Shift+ArrowLeft": move.left,
    "Shift+ArrowRight": move.right,
    "Shift+ArrowUp": move.up,
    "Shift+ArrowDown": move.down,
  },
  zoom: ZOOM_KEYS,
  all: { "0": { does: "all" }, f: { does: "all" } },
  point: { ",": { does: "point", by: -1 }, ".": { does: "point", by: 1 } },
  select: { Enter: { does: "select" } },
} as const satisfies KeyMap<StageAction>;
