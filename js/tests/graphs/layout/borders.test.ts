// The border of an opened scope: routes through it, and the auxiliary area.

import { expect, test } from "vitest";
import { layOut } from "../../../src/panels/graphs/layout/layout";
import { made, views } from "./inputs";
import { inAuxiliary, roomsOf } from "./measure";

test.each([...views])("%s: auxiliary areas are no larger than what they hold, which is nothing else", (_, input) => {
  const layout = layOut(input);
  for (const scope of [-1, ...input.open.keys()].filter((box) => box < 0 || input.open[box])) {
    const connected = new Set([...layout.routes.source, ...layout.routes.target]);
    const extracted = [...input.parent.keys()].filter(
      (box) => input.parent[box] === scope && input.area[box] && !connected.has(box),
    );
    expect(inAuxiliary(input, layout, scope)).toEqual([extracted, []]);
    const rooms = roomsOf(input, layout);
    const high = extracted.reduce((sum, box) => sum + (rooms[box]?.[3] ?? 0) - (rooms[box]?.[1] ?? 0) + 40, 0);
    expect(layout.auxiliary[4 * (scope < 0 ? input.count : scope) + 3]).toBeLessThanOrEqual(high);
  }
});

test("routes that end at the border of an opened box continue from there", () => {
  // Box 1 contains 2, 3 and 4, which it reads itself; its output is read by 5 and, farther above, by 6.
  const { routes } = layOut(
    made(
      7,
      [
        [0, 2],
        [2, 3],
        [2, 4],
        [4, 1],
        [1, 5],
        [5, 6],
        [1, 6],
      ],
      [-1, -1, 1, 1, 1, -1, -1],
    ),
  );
  const all = [...Array(routes.count).keys()];
  const place = (point: number) => [...routes.points.subarray(2 * point, 2 * point + 2)];
  const inside = all.filter((route) => routes.target[route] === 1 && routes.arrow[route]);
  const outside = all.filter((route) => routes.source[route] === 1 && routes.target[route] !== 2);
  expect([inside.length, outside.length]).toEqual([1, 2]);
  for (const route of outside) {
    expect(place(routes.start[route] as number)).toEqual(
      place((routes.start[(inside[0] as number) + 1] as number) - 1),
    );
  }
});
