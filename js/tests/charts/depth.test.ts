import { describe, expect, test } from "vitest";
import { DepthRaster } from "../../src/charts/depth";

const [WIDTH, HEIGHT] = [40, 30];

/** A generator of reproducible numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const PAPER = -1;

type Corner = readonly [x: number, y: number, z: number];
type Triangle = readonly [Corner, Corner, Corner];

/** An empty raster, with vertices at these positions. */
function raster(corners: readonly Corner[], onto = new DepthRaster(WIDTH, HEIGHT)): DepthRaster {
  onto.begin(Float32Array.from([0, 1, 2].flatMap((axis) => corners.map((corner) => corner[axis] as number))), PAPER);
  return onto;
}

/** Draws triangles, each with its index as its color. */
function drawnOf(triangles: readonly Triangle[]): DepthRaster {
  const made = raster(triangles.flat());
  triangles.forEach((_, id) => {
    made.triangle(3 * id, 3 * id + 1, 3 * id + 2, id, id, id);
  });
  return made;
}

/** The color of each pixel; null where nothing was drawn. */
function idsOf({ pixels }: DepthRaster): (number | null)[] {
  return Array.from(pixels, (pixel) => (pixel === PAPER ? null : pixel));
}

/** The weight of each corner of a triangle at a point, from areas; null outside. */
function shares([a, b, c]: Triangle, x: number, y: number): [number, number, number] | null {
  const area = (p: readonly number[], q: readonly number[], r: readonly number[]) => {
    const [px, py, qx, qy, rx, ry] = [p[0], p[1], q[0], q[1], r[0], r[1]] as number[] as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    return (qx - px) * (ry - py) - (rx - px) * (qy - py);
  };
  const whole = area(a, b, c);
  const parts = [area([x, y], b, c) / whole, area(a, [x, y], c) / whole, area(a, b, [x, y]) / whole];
  return parts.every((part) => part > 0) ? (parts as [number, number, number]) : null;
}

describe("triangles", () => {
  test("are as a naive depth buffer has them", () => {
    const random = numbers(1);
    const single = (number: number) => Math.fround(number);
    const corner = (): Corner => [single(random() * 60 - 10), single(random() * 50 - 10), single(random() * 100)];
    const triangles = Array.from({ length: 300 }, (): Triangle => {
      const first = corner();
      const size = 2 + 40 * random() ** 3;
      const near = (): Corner => [
        single(first[0] + size * random()),
        single(first[1] + size * random()),
        single(100 * random()),
      ];
      return [first, near(), near()];
    });
    const ids = idsOf(drawnOf(triangles));
    let [covered, differing] = [0, 0];
    for (let i = 0; i < WIDTH * HEIGHT; i += 1) {
      const [x, y] = [(i % WIDTH) + 0.5, Math.floor(i / WIDTH) + 0.5];
      let [nearest, found] = [Number.POSITIVE_INFINITY, null as number | null];
      triangles.forEach((triangle, id) => {
        const at = shares(triangle, x, y);
        const z = at?.reduce((sum, share, k) => sum + share * (triangle[k] as Corner)[2], 0);
        if (z !== undefined && z < nearest) {
          [nearest, found] = [z, id];
        }
      });
      covered += found === null ? 0 : 1;
      differing += ids[i] === found ? 0 : 1;
    }
    expect(covered).toBeGreaterThan(WIDTH * HEIGHT * 0.9);
    expect(differing).toBe(0);
  });

  test("that share an edge leave no gap and overlap nowhere", () => {
    const random = numbers(2);
    const grid = Array.from({ length: 9 }, (_, row) =>
      Array.from({ length: 9 }, (_, column): Corner => {
        const jitter = () => (row % 8 === 0 || column % 8 === 0 ? 0 : random() * 1.2 - 0.6);
        return [column * 5 + jitter(), row * 3.75 + jitter(), 0];
      }),
    );
    const once = new Int32Array(WIDTH * HEIGHT);
    for (let row = 0; row < 8; row += 1) {
      for (let column = 0; column < 8; column += 1) {
        const [a, b, c, d] = [
          grid[row]?.[column],
          grid[row]?.[column + 1],
          grid[row + 1]?.[column],
          grid[row + 1]?.[column + 1],
        ] as [Corner, Corner, Corner, Corner];
        for (const triangle of [
          [a, b, c],
          [d, c, b],
        ] as const) {
          idsOf(drawnOf([triangle])).forEach((id, i) => {
            once[i] = (once[i] as number) + (id === null ? 0 : 1);
          });
        }
      }
    }
    expect([...once].every((count) => count === 1)).toBe(true);
  });

  test("on centers of pixels cover each of them once", () => {
    const [a, b, c, d] = [
      [2.5, 2.5, 0],
      [6.5, 2.5, 0],
      [2.5, 6.5, 0],
      [6.5, 6.5, 0],
    ] as const;
    const both: Triangle[] = [
      [a, b, c],
      [b, d, c],
    ];
    const counts = both.map((triangle) => idsOf(drawnOf([triangle])).filter((id) => id !== null).length);
    expect((counts[0] as number) + (counts[1] as number)).toBe(16);
    expect(idsOf(drawnOf(both)).filter((id) => id !== null)).toHaveLength(16);
  });

  test("without a place, an area or a center of a pixel draw nothing", () => {
    const { NaN: none, POSITIVE_INFINITY: infinite } = Number;
    const triangles: Triangle[] = [
      [
        [none, 1, 1],
        [10, 1, 1],
        [1, 10, 1],
      ],
      [
        [1, 1, none],
        [10, 1, 1],
        [1, 10, 1],
      ],
      [
        [1, 1, 1],
        [infinite, 1, 1],
        [1, 10, 1],
      ],
      [
        [1, 1, 1],
        [10, -infinite, 1],
        [1, 10, 1],
      ],
      [
        [1, 1, 1],
        [10, 10, 1],
        [20, 20, 1],
      ],
      [
        [5, 5, 1],
        [5, 5, 1],
        [5, 5, 1],
      ],
      [
        [-50, 1, 1],
        [-10, 1, 1],
        [-1, 10, 1],
      ],
      [
        [1, 31, 1],
        [20, 50, 1],
        [1, 60, 1],
      ],
      [
        [5.6, 5.6, 1],
        [6.4, 5.6, 1],
        [5.6, 6.4, 1],
      ],
      [
        [1e300, 1e300, 1],
        [-1e300, 1e300, 1],
        [1, -1e300, 1],
      ],
    ];
    for (const triangle of triangles) {
      expect(idsOf(drawnOf([triangle])).filter((id) => id !== null)).toHaveLength(0);
    }
  });

  test("with huge coordinates cover the raster", () => {
    const huge: Triangle = [
      [-1e30, -1e30, 5],
      [1e30, -1e30, 5],
      [0, 1e31, 5],
    ];
    expect(idsOf(drawnOf([huge])).every((id) => id === 0)).toBe(true);
  });

  test("mix the colors of their corners by nearness", () => {
    const corners: Triangle = [
      [0, 0, 0],
      [40, 0, 0],
      [0, 30, 0],
    ];
    const drawn = raster(corners);
    const [red, green, blue] = [0xff0000ff | 0, 0xff00ff00 | 0, 0xffff0000 | 0];
    drawn.triangle(0, 1, 2, red, green, blue);
    const channels = (column: number, row: number) => {
      const pixel = drawn.pixels[row * WIDTH + column] as number;
      return [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255] as const;
    };
    for (const [column, row] of [
      [0, 0],
      [38, 0],
      [0, 28],
      [13, 10],
      [20, 5],
    ] as const) {
      const at = shares(corners, column + 0.5, row + 0.5) ?? [0, 0, 0];
      channels(column, row).forEach((value, k) => {
        expect(Math.abs(value - 255 * (at[k] as number))).toBeLessThanOrEqual(1);
      });
    }
  });
});

describe("discs", () => {
  test("cover the pixels whose centers they contain, and the nearest is on top", () => {
    for (const radius of [0.4, 1, 1.5, 2.5, 3, 7.3]) {
      for (const [x, y] of [
        [20.5, 15.5],
        [0.5, 0.5],
        [39.5, 29.5],
        [-1.5, 4.5],
        [80, 15],
      ] as const) {
        const drawn = raster([
          [x, y, 2],
          [x, y, 3],
        ]);
        drawn.disc(0, radius, 3);
        drawn.disc(1, radius, 4);
        const expected = Array.from({ length: WIDTH * HEIGHT }, (_, i) => {
          const isInside = Math.hypot((i % WIDTH) + 0.5 - x, Math.floor(i / WIDTH) + 0.5 - y) <= radius;
          return isInside ? 3 : null;
        });
        expect(idsOf(drawn)).toEqual(expected);
      }
    }
  });

  test("without a place draw nothing", () => {
    const drawn = raster([
      [Number.NaN, 5, 1],
      [5, Number.NaN, 1],
      [5, 5, Number.NaN],
      [Number.POSITIVE_INFINITY, 5, 1],
      [1e30, -1e30, 1],
    ]);
    for (const radius of [2, 8]) {
      for (let vertex = 0; vertex < 5; vertex += 1) {
        drawn.disc(vertex, radius, 1);
      }
    }
    expect(idsOf(drawn).filter((id) => id !== null)).toHaveLength(0);
  });
});

describe("lines", () => {
  test("reach from end to end and are hidden by nearer ones", () => {
    const drawn = raster([
      [10, 0, 5],
      [20, 0, 5],
      [15, 3000, 5],
      [0.5, 10.5, 0],
      [39.5, 10.5, 10],
      [0.5, 12.5, 6],
      [39.5, 12.5, 6],
    ]);
    drawn.triangle(0, 1, 2, 1, 1, 1);
    drawn.line(3, 4, 2);
    const row = idsOf(drawn).slice(10 * WIDTH, 11 * WIDTH);
    expect(row.slice(0, 20)).toEqual(Array(20).fill(2));
    expect(row.slice(21)).toEqual(Array(19).fill(2));
    drawn.line(5, 6, 3);
    expect(
      idsOf(drawn)
        .slice(12 * WIDTH, 13 * WIDTH)
        .filter((id) => id === 1).length,
    ).toBeGreaterThan(8);
  });

  test("that end at the left or upper edge set no pixel of another row", () => {
    const random = numbers(3);
    for (let i = 0; i < 500; i += 1) {
      const [x, y] = [Math.fround(20 * random()), Math.fround(20 * random())];
      const drawn = raster([
        [x, y, 1],
        [0, y, 1],
      ]);
      drawn.line(0, 1, 1);
      const left = idsOf(drawn).flatMap((id, at) => (id === null ? [] : [Math.floor(at / WIDTH)]));
      expect([...new Set(left)]).toEqual([Math.floor(y)]);
      raster(
        [
          [x, y, 1],
          [x, 0, 1],
        ],
        drawn,
      );
      drawn.line(0, 1, 1);
      const upper = idsOf(drawn).flatMap((id, at) => (id === null ? [] : [at % WIDTH]));
      expect([...new Set(upper)]).toEqual([Math.floor(x)]);
      expect(idsOf(drawn)[Math.floor(x)]).toBe(1);
    }
  });

  test("are cut where the raster ends, whatever their length", () => {
    const pixelsOf = (from: Corner, to: Corner) => {
      const drawn = raster([from, to]);
      drawn.line(0, 1, 0);
      return idsOf(drawn).filter((id) => id !== null).length;
    };
    expect(pixelsOf([-1e9, 15.5, 1], [1e9, 15.5, 1])).toBe(WIDTH);
    expect(pixelsOf([3.5, 1e9, 1], [3.5, -1e9, 1])).toBe(HEIGHT);
    pixelsOf([1e38, -1e38, 1], [-1e38, 1e38, 1]);
    for (const [from, to] of [
      [
        [Number.NaN, 1, 1],
        [5, 5, 1],
      ],
      [
        [1, 1, 1],
        [Number.POSITIVE_INFINITY, 5, 1],
      ],
      [
        [-5, -5, 1],
        [-1, 50, 1],
      ],
      [
        [-20, 20, 1],
        [20, -21, 1],
      ],
    ] as const) {
      expect(pixelsOf(from, to)).toBe(0);
    }
  });
});

test("to begin removes marks and their depths", () => {
  const drawn = raster([[5, 5, -10]]);
  drawn.disc(0, 2, 1);
  raster([[5, 5, 10]], drawn);
  drawn.disc(0, 2, 2);
  expect(drawn.pixels[5 * WIDTH + 5]).toBe(2);
  expect(drawn.pixels[5 * WIDTH + 30]).toBe(PAPER);
});
