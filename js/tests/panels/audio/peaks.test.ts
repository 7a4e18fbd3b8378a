import { expect, test } from "vitest";
import { extremes } from "../../../src/panels/audio/paint";
import { COLUMNS, type Lane, waveformOf } from "../../../src/panels/audio/peaks";
import { inSlices, type Job } from "../../../src/panels/audio/slices";
import { atOnce } from "./atonce";
import { samplesFrom, tone } from "./sounds";

test("no peak is lost, however many samples share a column", () => {
  const samples = new Float32Array(1_000_003);
  samples[123_456] = 0.75;
  samples[999_999] = -1;
  const { lanes, loudest, duration } = atOnce(waveformOf(samplesFrom([samples], 1000)));
  const lane = lanes[0] as Lane;
  expect([lane.greatest.length, loudest, duration]).toEqual([COLUMNS, 1, 1000.003]);
  expect(lane.greatest[Math.floor((123_456 * COLUMNS) / samples.length)]).toBe(0.75);
  expect(lane.least.at(-1)).toBe(-1);
  const [, greatest] = extremes(lane, 0, 0.5);
  expect([greatest, ...extremes(lane, 0.2, 0.4)]).toEqual([0.75, 0, 0]);
  expect(extremes(lane, 0.999, 1)[0]).toBe(-1);
});

test("few samples have a column each, and one that is asked for between them is found", () => {
  const { lanes } = atOnce(waveformOf(samplesFrom([[0.25, -0.5, 0.125]])));
  const lane = lanes[0] as Lane;
  expect([...lane.least]).toEqual([0.25, -0.5, 0.125]);
  expect(extremes(lane, 0.4, 0.41)).toEqual([-0.5, -0.5]);
  expect(extremes(lane, 0.2, 0.5)).toEqual([-0.5, 0.25]);
});

test("two channels have a waveform each, more of them one together", () => {
  const channels = [0.1, 0.2, 0.3].map((size) => tone(800, 40).map((sample) => size * sample));
  const two = atOnce(waveformOf(samplesFrom(channels.slice(0, 2))));
  expect([two.lanes.length, Math.max(...(two.lanes[0] as Lane).greatest)]).toEqual([2, expect.closeTo(0.1, 3)]);
  const three = atOnce(waveformOf(samplesFrom(channels)));
  expect([three.lanes.length, three.loudest]).toEqual([1, expect.closeTo(0.3, 3)]);
});

test("jobs run one after another, in slices, and an unwanted one is dropped", async () => {
  const order: string[] = [];
  function* job(name: string): Job<string> {
    for (let i = 0; i < 3; i += 1) {
      order.push(name);
      yield;
    }
    return name;
  }
  function* broken(): Job<string> {
    yield;
    throw new Error("broken");
  }
  const [left, kept] = [new AbortController(), new AbortController()];
  let ended = false;
  void inSlices(job("left"), left.signal).then(() => {
    ended = true;
  });
  left.abort();
  const first = inSlices(job("a"), kept.signal);
  const failing = inSlices(broken(), kept.signal).catch(({ message }: Error) => message);
  expect(await inSlices(job("b"), kept.signal)).toBe("b");
  expect([await first, await failing, ended, order]).toEqual(["a", "broken", false, ["a", "a", "a", "b", "b", "b"]]);
});
