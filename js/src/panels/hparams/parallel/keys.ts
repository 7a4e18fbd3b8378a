// The keys on the title of an axis.

import type { KeyMap } from "../../../charts/keyboard";

export type AxisAction =
  /** To another axis; or this one changes places with it. */
  | { readonly does: "go" | "move"; readonly by: 1 | -1 }
  /** The last brush moves, or gets another size. */
  | { readonly does: "brush" | "resize"; readonly by: 1 | -1 }
  | { readonly does: "clear" | "scale" };

const clear: AxisAction = { does: "clear" };
const scale: AxisAction = { does: "scale" };

export const AXIS_KEYS = {
  go: { ArrowLeft: { does: "go", by: -1 }, ArrowRight: { does: "go", by: 1 } },
  move: { "Shift+ArrowLeft": { does: "move", by: -1 }, "Shift+ArrowRight": { does: "move", by: 1 } },
  brush: { ArrowUp: { does: "brush", by: 1 }, ArrowDown: { does: "brush", by: -1 } },
  resize: { "Shift+ArrowUp": { does: "resize", by: 1 }, "Shift+ArrowDown": { does: "resize", by: -1 } },
  clear: { Delete: clear, Backspace: clear },
  scale: { s: scale, S: scale },
} as const satisfies KeyMap<AxisAction>;
