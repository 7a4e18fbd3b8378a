import { expect, test } from "vitest";
import fitted from "../../../src/panels/projector/umap/curvefit";

/** The curve for a minimum distance, as in umap-js: distances below the minimum give 1. */
function parametersOf(least: number): readonly [number, number] {
  const x = Array.from({ length: 300 }, (_, i) => (i * 3) / 299).map((at) => (at < least ? 1 : at));
  const y = x.map((at) => Math.exp(-(at - least)));
  const curve =
    ([a, b]: readonly [number, number]) =>
    (at: number) =>
      1 / (1 + a * at ** (2 * b));
  return fitted({ x, y }, curve, { initialValues: [0.5, 0.5] }).parameterValues;
}

test.each([
  // scipy.optimize.curve_fit, as in umap.umap_.find_ab_params(1.0, least).
  [0.1, 1.576943460405378, 0.8950608781227859],
])("the parameters of the curve for a least distance of %d are those of umap-learn", (least, a, b) => {
  const found = parametersOf(least);
  expect(found[0]).toBeCloseTo(a, 5);
  expect(found[1]).toBeCloseTo(b, 5);
});
