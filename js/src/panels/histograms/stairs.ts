// The outline of a profile: stairs, each over as many columns as are equally high.

import type { CountScale } from "./countscale";

/** Columns [from, to), so many pixels high; `cut`: they have more counts than can be drawn. */
export interface Stair {
  readonly from: number;
  readonly to: number;
  readonly height: number;
  readonly cut: boolean;
}

/** Share of its height by which a stair may be off. */
const EVEN = 0.002;

/** The stairs of a profile whose highest column may be `tall` pixels; empty columns are in none. */
export function stairsOf(profile: Float64Array, scale: CountScale, tall: number): Stair[] {
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
    const here = scale(counts) * tall;
    const over = counts > scale.top * (1 + 1e-9);
    if (Math.abs(here - height) > EVEN * height || over !== cut) {
      end(i);
      [height, cut] = [here, over];
    }
  }
  end(profile.length);
  return stairs;
}
