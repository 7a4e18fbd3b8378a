import { expect, test } from "vitest";
import { clockTicks, formatClockTick, formatDuration, formatMoment, roundUpTime } from "../../src/lib/times";

test.each([
  [0.003, "3ms"],
  [1.5, "1.5s"],
  [90, "90s"],
  [600, "10min"],
  [5400, "90min"],
  [9000, "2.5h"],
  [200_000, "2.315d"],
  [0, "0"],
  [-5, "−5s"],
])("%d s is %s", (seconds, text) => {
  expect(formatDuration(seconds).replace("\u202f", "")).toBe(text);
});

test("times of day are local; the day and the year only where they are others", () => {
  const now = new Date(2026, 10, 20, 18);
  const at = (...of: [number, number, number, number, number]) => new Date(...of).getTime() / 1000;
  expect(formatMoment(at(2026, 10, 20, 9, 5), now)).toBe("09:05:00");
  expect(formatMoment(at(2026, 10, 3, 9, 5), now)).toBe("3\u202fNov, 09:05:00");
  expect(formatMoment(at(2019, 0, 1, 0, 0), now)).toBe("1\u202fJan 2019, 00:00:00");
  expect(formatMoment(Number.NaN, now)).toBe("–");
  expect(formatMoment(1e300, now)).toBe("–");
});

test("ticks stand at round times where we are, whatever the zone", () => {
  const midnight = new Date(2026, 10, 20).getTime() / 1000;
  const labels = clockTicks(midnight - 3 * 3600, midnight + 9 * 3600, 3 * 3600).map((tick) =>
    formatClockTick(tick, 3 * 3600),
  );
  expect(labels).toEqual(["21:00", "20\u202fNov", "03:00", "06:00", "09:00"]);
  expect(formatClockTick(midnight + 0.25, 0.25)).toBe("00:00:00.25");
  const fine = clockTicks(midnight + 0.0211, midnight + 0.0239, 0.001);
  expect(fine.map((tick) => formatClockTick(tick, 0.001))).toEqual(["00:00:00.022", "00:00:00.023"]);
});

test("days of several years have their year", () => {
  const at = (...of: [number, number, number]) => new Date(...of).getTime() / 1000;
  const range = [at(2024, 10, 3), at(2026, 1, 3)] as const;
  expect(formatClockTick(at(2025, 0, 20), 50 * 86_400, range)).toBe("20\u202fJan 2025");
  expect(formatClockTick(at(2026, 0, 20), 86_400, [at(2026, 0, 3), at(2026, 1, 3)])).toBe("20\u202fJan");
  expect(formatClockTick(at(2026, 0, 1), 43_200, [at(2025, 11, 31), at(2026, 0, 2)])).toBe("1\u202fJan 2026");
});

test.each([
  [0.03, 0.05],
  [0.7, 1],
  [11, 15],
  [61, 120],
  [50_000, 86_400],
  [100_000, 172_800],
])("%d s apart means every %d s", (least, spacing) => {
  expect(roundUpTime(least)).toBe(spacing);
});
