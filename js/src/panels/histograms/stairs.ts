// The outline of a profile: stairs, each over as many columns as are equally high.

import type { Heights } from "./heights";

/** Columns `from` to behind the last, so many pixels high; `cut`: there is more than can be drawn. */
export interface Stair {
  readonly from: number;
  readonly to: number;
  readonly height: number;
  readonly cut: boolean;
}

/** Share of its height by which a stair may be off. */
const EVEN = 0.002;

/** The stairs of a profile whose highest column may be `tall` pixels; columns that counted nothing are in none. */
export function stairsOf(profile: Float64Array, heights: Heights, tall: number): Stair[] {
  const stairs: Stair[] = [];
  let from = 0;
  let height = 0;
  let cut = false;
  const end = (to: number) => {
    if (height > 0 && to > from) {
      stairs.push({ from, to, height, cut });
    }
    from = to;
  };
  for (let i = 0; i < profile.length; i += 1) {
    const counts = profile[i] as number;
    const here = heights(counts) * tall;
    const over = counts > heights.top * (1 + 1e-9);
    if (Math.abs(here - height) > EVEN * height || over !== cut) {
      end(i);
      [height, cut] = [here, over];
    }
  }
  end(profile.length);
  return stairs;
}
