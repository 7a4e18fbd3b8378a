// What there is room for beside the cards.

/** Below this width, in CSS pixels, the list of runs lies above the cards, and opens when asked. */
const NARROW = 560;

/** From this width on, two cards fit beside the list of runs. */
const ROOMY = 760;

export type Room = "narrow" | "usual" | "roomy";

export function roomIn(width: number): Room {
  return width < NARROW ? "narrow" : width < ROOMY ? "usual" : "roomy";
}

/**
 * Whether runs are listed before anybody asks for that. Where there is room, from the first one on: nothing moves when the
 * second comes. The directory itself, as its only run, is named above already.
 */
export function listsRuns(runs: readonly string[], room: Room): boolean {
  return room !== "narrow" && (runs.length > 1 || (room === "roomy" && runs.length === 1 && runs[0] !== "."));
}
