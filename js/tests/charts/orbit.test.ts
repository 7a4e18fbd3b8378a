import { describe, expect, test } from "vitest";
import { boundsOf, fitTo, type Orbit, pan, project, rotate, UPRIGHT, zoomAt } from "../../src/charts/orbit";

const VIEW = { width: 200, height: 100 };
const PLAIN: Orbit = { rotation: UPRIGHT, center: [0, 0, 0], scale: 0.1, eye: null };

function seen(orbit: Orbit, ...points: [number, number, number][]): [number, number, number][] {
  const planes = [0, 1, 2].map((axis) => Float32Array.from(points, (point) => point[axis] as number));
  const out = new Float32Array(3 * points.length);
  project(orbit, VIEW, planes, out);
  return points.map((_, i) => [0, 1, 2].map((axis) => out[axis * points.length + i]) as [number, number, number]);
}

function expectNear(actual: readonly number[] | undefined, expected: readonly number[]): void {
  expected.forEach((value, i) => {
    expect(actual?.[i]).toBeCloseTo(value, 3);
  });
}

describe("a camera", () => {
  test("shows x to the right, y upward and z towards the viewer", () => {
    const [origin, x, y, z] = seen(PLAIN, [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]);
    expectNear(origin, [100, 50, 0]);
    expectNear(x, [110, 50, 0]);
    expectNear(y, [100, 40, 0]);
    expectNear(z, [100, 50, -10]);
  });

  test("turns the scene to the right and downward", () => {
    expectNear(seen(rotate(PLAIN, Math.PI / 2, 0), [0, 0, 1])[0], [110, 50, 0]);
    expectNear(seen(rotate(PLAIN, 0, Math.PI / 2), [0, 0, 1])[0], [100, 60, 0]);
    expectNear(seen(rotate(PLAIN, 0, Math.PI / 2), [0, 1, 0])[0], [100, 50, -10]);
  });

  test("that is upright keeps the y axis vertical", () => {
    let upright = rotate(PLAIN, 0, 0.5, true);
    let free = rotate(PLAIN, 0, 0.5);
    for (let i = 0; i < 2000; i += 1) {
      upright = rotate(upright, 0.3, i % 2 === 0 ? 0.1 : -0.1, true);
      free = rotate(free, 0.3, i % 2 === 0 ? 0.1 : -0.1);
    }
    expect(seen(upright, [0, 1, 0])[0]?.[0]).toBeCloseTo(100, 3);
    expect(Math.abs((seen(free, [0, 1, 0])[0]?.[0] ?? 100) - 100)).toBeGreaterThan(0.5);
    expect(Math.hypot(...upright.rotation)).toBeCloseTo(1, 12);
  });

  test("moves along with the pointer however it is rotated", () => {
    const turned = rotate(rotate(PLAIN, 0.7, 0.4), 0.2, -1);
    const before = seen(turned, [1, 2, 3])[0] as [number, number, number];
    expectNear(seen(pan(turned, VIEW, 12, -7), [1, 2, 3])[0], [before[0] + 12, before[1] - 7, before[2]]);
  });

  test("keeps the point below the pointer when it zooms", () => {
    const [before, after] = [PLAIN, zoomAt(PLAIN, VIEW, 3, 130, 20)].map((camera) =>
      seen(camera, [3, 3, 0], [4, 3, 0]),
    );
    expectNear(before?.[0], [130, 20, 0]);
    expectNear(after?.[0], [130, 20, 0]);
    expectNear(after?.[1], [160, 20, 0]);
    let camera = PLAIN;
    for (let i = 0; i < 1000; i += 1) {
      camera = zoomAt(camera, VIEW, 10, 0, 0);
    }
    expect(camera.scale).toBeLessThan(1e100);
    expect(camera.center.every(Number.isFinite)).toBe(true);
  });
});

describe("fitting", () => {
  test("shows all corners of a box, from every side", () => {
    const box: [number, number, number][] = [];
    for (let corner = 0; corner < 8; corner += 1) {
      box.push([corner & 1 ? 30 : -5, corner & 2 ? 2 : 1, corner & 4 ? 9 : 2]);
    }
    const bounds = boundsOf([0, 1, 2].map((axis) => Float32Array.from(box, (point) => point[axis] as number)));
    for (const eye of [null, 1.5]) {
      for (let i = 0; i < 20; i += 1) {
        const { rotation } = rotate(PLAIN, i * 0.7, i * 0.31);
        const places = seen(fitTo({ rotation, eye }, bounds as NonNullable<typeof bounds>, VIEW), ...box);
        const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
        expect(Math.min(...xs, ...ys)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...xs)).toBeLessThanOrEqual(200);
        expect(Math.max(...ys)).toBeLessThanOrEqual(100);
        const used = Math.max((Math.max(...xs) - Math.min(...xs)) / 200, (Math.max(...ys) - Math.min(...ys)) / 100);
        expect(used).toBeGreaterThan(eye === null ? 0.89 : 0.6);
      }
    }
  });

  test("handles one point, none, and huge ones", () => {
    expect(boundsOf([Float32Array.of(Number.NaN), Float32Array.of(1)])).toBe(null);
    expect(boundsOf([new Float32Array(0), new Float32Array(0)])).toBe(null);
    const one = boundsOf([Float32Array.of(7, Number.NaN), Float32Array.of(8, 1)]);
    expect(one).toEqual([
      [7, 8, 0],
      [7, 8, 0],
    ]);
    expectNear(seen(fitTo(PLAIN, one as NonNullable<typeof one>, VIEW), [7, 8, 0])[0], [100, 50, 0]);
    const huge = 3e38;
    const fitted = fitTo(
      PLAIN,
      [
        [-huge, -huge, -huge],
        [huge, huge, huge],
      ],
      VIEW,
    );
    expectNear(seen(fitted, [huge, 0, 0])[0], [145, 50, 0]);
  });
});

describe("perspective", () => {
  const camera: Orbit = { ...PLAIN, eye: 2 };

  test("shrinks distant points, and omits those behind the eye", () => {
    const [near, middle, far, behind] = seen(camera, [1, 0, 10], [1, 0, 0], [1, 0, -20], [1, 0, 21]);
    expect(near?.[0]).toBeCloseTo(120, 3);
    expect(middle?.[0]).toBeCloseTo(110, 3);
    expect(far?.[0]).toBeCloseTo(105, 3);
    expect(behind).toEqual([Number.NaN, Number.NaN, Number.NaN]);
    expect((near?.[2] as number) < (middle?.[2] as number) && (middle?.[2] as number) < (far?.[2] as number)).toBe(
      true,
    );
  });

  test("has depths that are linear between projected points", () => {
    const [a, b, between] = seen(camera, [-3, 1, 8], [5, -2, -30], [1, -0.5, -11]) as [number, number, number][];
    const share = ((between?.[0] ?? 0) - (a?.[0] ?? 0)) / ((b?.[0] ?? 0) - (a?.[0] ?? 0));
    [1, 2].forEach((axis) => {
      const [start, end] = [a?.[axis] as number, b?.[axis] as number];
      expect(between?.[axis]).toBeCloseTo(start + share * (end - start), 3);
    });
  });
});
