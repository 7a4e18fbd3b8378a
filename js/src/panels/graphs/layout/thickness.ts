// How thick lines are: by the size of the tensors that they stand for.

/** Widths are drawn in so many levels, so that alike lines can be drawn at once. */
export const LEVELS = 16;
const [THINNEST, THICKEST] = [0.75, 7];
/** Elements of a tensor that is drawn thickest; widths grow with this power of the number of elements. */
const MOST_ELEMENTS = 5e6;
const POWER = 0.3;
/** Of the way to the next line a line takes such a share. */
const SHARE_OF_ROOM = 0.6;

/** Width of a line, in units of the layout. */
export function lineWidth(level: number): number {
  return THINNEST + ((THICKEST - THINNEST) * level) / (LEVELS - 1);
}

export function levelOf(elements: number): number {
  const share = (Math.max(1, elements) ** POWER - 1) / (MOST_ELEMENTS ** POWER - 1);
  return Math.round(Math.min(1, share || 0) * (LEVELS - 1));
}

/** For tensors with so many elements together, but none that could not be told from its neighbors so far away. */
export function levelIn(room: number, elements: number): number {
  const share = (room * SHARE_OF_ROOM - THINNEST) / (THICKEST - THINNEST);
  return Math.min(levelOf(elements), Math.floor(Math.max(0, Math.min(1, share)) * (LEVELS - 1)));
}

/** Width of the line of tensors with so many elements together. */
export function thicknessOf(elements: number): number {
  return lineWidth(levelOf(elements));
}
