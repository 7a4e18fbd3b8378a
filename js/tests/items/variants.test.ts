import { effect } from "@preact/signals";
import { expect, test } from "vitest";
import { ItemVariants, MAX_VARIANT_BYTES } from "../../src/items/source";
import { MAX_BYTES } from "../../src/wire/cache";

const laterTask = () => new Promise((resolve) => setTimeout(resolve));
const bytes = (n: number) => new Uint8Array(n);

test("items take 256 MB of a page at most", () => {
  expect(MAX_BYTES + MAX_VARIANT_BYTES).toBeLessThanOrEqual(256e6);
});

test("invisible variants are evicted first, the least recently used one before the rest", async () => {
  const variants = new ItemVariants(100);
  const [a, b, c] = ["a", "b", "c"] as const;
  const ends = [a, b, c].map((key) => {
    const end = variants.watch(key);
    variants.hold(key, bytes(40));
    return end;
  });
  // All of them are on the screen.
  expect(variants.bytes).toBe(120);
  void variants.of(a);
  ends[1]?.();
  await laterTask();
  expect([variants.bytes, variants.of(b).value.blob, variants.of(a).value.blob?.length]).toEqual([80, null, 40]);
  ends[0]?.();
  ends[2]?.();
  await laterTask();
  expect([variants.bytes, variants.of(a).value.blob?.length, variants.of(c).value.blob?.length]).toEqual([80, 40, 40]);
});

test("a variant that arrives after its views have gone is not stored", () => {
  const variants = new ItemVariants(100);
  variants.watch("a")();
  variants.hold("a", bytes(40));
  expect([variants.bytes, variants.of("a").value.blob]).toEqual([0, null]);
});

test("a refusal holds until no view is left", async () => {
  const variants = new ItemVariants();
  const key = "a";
  const end = variants.watch(key);
  variants.refuse(key, 640, { reason: "no" });
  expect(variants.of(key).value).toMatchObject({ refused: null, refusedSize: 640 });
  variants.refuse(key, null, { reason: "gone" });
  expect(variants.of(key).value.refused?.reason).toBe("gone");
  end();
  await laterTask();
  expect(variants.of(key).value).toMatchObject({ refused: null, refusedSize: null });
});

test("a variant that is watched again at once keeps its data, and is the same", async () => {
  const variants = new ItemVariants(100);
  const key = "a";
  const seen = variants.of(key);
  const end = variants.watch(key);
  variants.hold(key, bytes(140));
  variants.refuse(key, 640, { reason: "no" });
  end();
  variants.watch(key);
  await laterTask();
  expect(variants.of(key)).toBe(seen);
  expect([seen.value.blob?.length, seen.value.refusedSize]).toEqual([140, 640]);
});

test("a reader of an evicted variant continues with its successor", async () => {
  const variants = new ItemVariants(100);
  const read: (number | undefined)[] = [];
  effect(() => {
    read.push(variants.of("a").value.blob?.length);
  });
  variants.watch("b")();
  await laterTask();
  variants.watch("a");
  variants.hold("a", bytes(40));
  expect(read.at(-1)).toBe(40);
});
