// What a screen reader announces when the scopes that are open change.

import { formatCount } from "../../../lib/format";
import type { View } from "../model/view";
import { graphDrawingTexts } from "./texts";

type Boxes = Pick<View, "count" | "path" | "label" | "parent" | "open">;

/** Empty where nothing was opened or closed. */
export function changeText(before: Boxes, after: Boxes): string {
  const opened = newlyOpen(before, after);
  const closed = newlyOpen(after, before);
  const [box, was] = [opened[0], closed[0]];
  if (opened.length + closed.length !== 1) {
    return before.count === after.count ? "" : graphDrawingTexts().boxes(after.count, formatCount(after.count));
  }
  if (box === undefined) {
    return graphDrawingTexts().closed(before.label[was as number] as string);
  }
  const inside = after.parent.reduce((sum, around) => sum + Number(around === box), 0);
  return graphDrawingTexts().opened(after.label[box] as string, graphDrawingTexts().boxes(inside, formatCount(inside)));
}

/** Boxes that are open and were there before, closed. */
function newlyOpen(before: Boxes, after: Boxes): readonly number[] {
  const was = openOf(before);
  const paths = new Set(was.map((box) => before.path[box]));
  return openOf(after).filter((box) => {
    const around = after.parent[box] as number;
    return !paths.has(after.path[box]) && (around < 0 || paths.has(after.path[around]));
  });
}

function openOf({ count, open }: Boxes): readonly number[] {
  const found: number[] = [];
  for (let box = 0; box < count; box++) {
    if (open[box]) {
      found.push(box);
    }
  }
  return found;
}
