import { effect } from "@preact/signals";
import { expect, test } from "vitest";
import { MOST_SHARP, SharpPictures } from "../../../src/panels/images/sharp";
import { MOST_BYTES } from "../../../src/wire/cache";
import { placeOf } from "./made";

const laterTask = () => new Promise((resolve) => setTimeout(resolve));
const bytes = (n: number) => new Uint8Array(n);

test("images take 256 MB of a page at most", () => {
  expect(MOST_BYTES + MOST_SHARP).toBeLessThanOrEqual(256e6);
});

test("what nothing shows goes first, the least recently used of it before the rest", async () => {
  const sharp = new SharpPictures(100);
  const [a, b, c] = [placeOf(1), placeOf(2), placeOf(3)];
  const ends = [a, b, c].map((place) => {
    const end = sharp.watch(place);
    sharp.hold(place, bytes(40));
    return end;
  });
  // All of them are on the screen.
  expect(sharp.bytes).toBe(120);
  void sharp.of(a);
  ends[1]?.();
  await laterTask();
  expect([sharp.bytes, sharp.of(b).value.blob, sharp.of(a).value.blob?.length]).toEqual([80, null, 40]);
  ends[0]?.();
  ends[2]?.();
  await laterTask();
  expect([sharp.bytes, sharp.of(a).value.blob?.length, sharp.of(c).value.blob?.length]).toEqual([80, 40, 40]);
});

test("what comes when nothing shows it any more is not held", () => {
  const sharp = new SharpPictures(100);
  sharp.watch(placeOf(1))();
  sharp.hold(placeOf(1), bytes(40));
  expect([sharp.bytes, sharp.of(placeOf(1)).value.blob]).toEqual([0, null]);
});

test("a refusal holds until nobody looks", async () => {
  const sharp = new SharpPictures();
  const place = placeOf(1);
  const end = sharp.watch(place);
  sharp.refuse(place, 640, "no");
  expect(sharp.of(place).value).toMatchObject({ refused: null, refusedPixels: 640 });
  sharp.refuse(place, null, "gone");
  expect(sharp.of(place).value.refused).toBe("gone");
  end();
  await laterTask();
  expect(sharp.of(place).value).toMatchObject({ refused: null, refusedPixels: null });
});

test("what is watched anew at once keeps what it has, and is the same", async () => {
  const sharp = new SharpPictures(100);
  const place = placeOf(1);
  const seen = sharp.of(place);
  const end = sharp.watch(place);
  sharp.hold(place, bytes(140));
  sharp.refuse(place, 640, "no");
  end();
  sharp.watch(place);
  await laterTask();
  expect(sharp.of(place)).toBe(seen);
  expect([seen.value.blob?.length, seen.value.refusedPixels]).toEqual([140, 640]);
});

test("whoever reads what is forgotten reads on in what follows it", async () => {
  const sharp = new SharpPictures(100);
  const read: (number | undefined)[] = [];
  effect(() => {
    read.push(sharp.of(placeOf(1)).value.blob?.length);
  });
  sharp.watch(placeOf(2))();
  await laterTask();
  sharp.watch(placeOf(1));
  sharp.hold(placeOf(1), bytes(40));
  expect(read.at(-1)).toBe(40);
});
