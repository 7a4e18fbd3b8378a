// One side of the viewer with its image decoded.

import type { ItemSide } from "../../../items/viewer/side";
import type { ImageRow } from "../codec";
import type { Picture } from "../picture";
import { MAX_VALUE_PIXELS, type Opened, useOpened } from "./opened";

export interface Side extends ItemSide<ImageRow, Picture> {
  /** The image on the screen: the earlier one until the picture is decoded. */
  readonly opened: Opened | null;
}

/** Decodes the picture of a side, and holds the values of at most `mostValues` pixels. */
export function useOpenedSide(side: ItemSide<ImageRow, Picture>, mostValues?: number): Side;
export function useOpenedSide(side: ItemSide<ImageRow, Picture> | null): Side | null;
export function useOpenedSide(side: ItemSide<ImageRow, Picture> | null, mostValues = MAX_VALUE_PIXELS): Side | null {
  const picture = side?.value ?? null;
  const now = useOpened(picture, mostValues).value;
  if (side === null) {
    return null;
  }
  const reason = side.reason ?? (now.state === "broken" && picture ? now.reason : null);
  const opened = now.state === "opened" && reason === null && side.row !== undefined ? now.opened : null;
  return { ...side, opened, reason, isCurrent: opened !== null && opened.picture === picture };
}
