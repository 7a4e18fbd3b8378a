import { expect, test } from "vitest";
import { spansBySupport } from "../../src/lines/paint";
import { scalarColumns } from "../../src/lines/tooltip";

test("an aggregate is faint where less than half of its runs count, with the lines to the rows beside", () => {
  const n = Uint32Array.from([1, 4, 4, 2, 1, 1, 3]);
  const spans = spansBySupport({ n, members: 4 }, 0, 7);
  expect(spans).toEqual([
    { from: 0, to: 2, few: true },
    { from: 1, to: 4, few: false },
    { from: 3, to: 7, few: true },
    { from: 6, to: 7, few: false },
  ]);
  expect(spansBySupport({ n, members: 4 }, 1, 3)).toEqual([{ from: 1, to: 3, few: false }]);
  expect(spansBySupport(undefined, 2, 5)).toEqual([{ from: 2, to: 5, few: false }]);
  expect(spansBySupport({ n, members: 4 }, 3, 3)).toEqual([]);
});

test("the tooltip says of how many runs an aggregate is where not all of them count", () => {
  const point = {
    ...{ run: "mean", tag: "loss", color: "#000000", value: 1, smoothed: 1, isSmoothed: false, band: null, line: {} },
    ...{ step: 1n, wall: Number.NaN, relative: Number.NaN, bucket: false, x: 1, y: 1, n: 1 },
  };
  const cells = [21, 1].map((members) =>
    scalarColumns([{ ...point, members }], "step", new Date(0), () => null).map(({ cell }) =>
      cell({ ...point, members }),
    ),
  );
  expect(cells).toEqual([
    ["1", "1 of 21 runs"],
    ["1", "1"],
  ]);
});
