// Commands of the keys in a focused chart.

export type Command =
  /** Moves along the horizontal axis, by a share of the viewport. */
  | { readonly name: "pan"; readonly by: number }
  /** Zooms about the middle; the factor multiplies the visible range. */
  | { readonly name: "zoom"; readonly factor: number }
  | { readonly name: "all" }
  /** Shows all again, and fits the axes to it. */
  | { readonly name: "fit" }
  /** The crosshair goes to the next point, or the one before. */
  | { readonly name: "step"; readonly direction: 1 | -1 }
  /** Moves the crosshair to another step in a chart whose steps do not run from left to right. */
  | { readonly name: "upright"; readonly direction: 1 | -1 }
  /** Links the step below the crosshair. */
  | { readonly name: "link" }
  /** The crosshair goes away. */
  | { readonly name: "hide" };

const PAN = 0.15;
const ZOOM = 0.7;

type Key = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

/** The command of a key; null if it means nothing here. */
export function commandOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Key): Command | null {
  if (ctrlKey || metaKey || altKey) {
    return null;
  }
  switch (key) {
    case "ArrowLeft":
      return shiftKey ? { name: "step", direction: -1 } : { name: "pan", by: -PAN };
    case "ArrowRight":
      return shiftKey ? { name: "step", direction: 1 } : { name: "pan", by: PAN };
    case "ArrowUp":
      return { name: "upright", direction: -1 };
    case "ArrowDown":
      return { name: "upright", direction: 1 };
    case ",":
      return { name: "step", direction: -1 };
    case ".":
      return { name: "step", direction: 1 };
    case "+":
    case "=":
      return { name: "zoom", factor: ZOOM };
    case "-":
      return { name: "zoom", factor: 1 / ZOOM };
    case "0":
    case "Home":
      return { name: "all" };
    case "f":
      return { name: "fit" };
    case "Enter":
    case " ":
      return { name: "link" };
    case "Escape":
      return { name: "hide" };
    default:
      return null;
  }
}
