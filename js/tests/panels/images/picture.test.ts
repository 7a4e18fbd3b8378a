import { expect, test } from "vitest";
import { addressOf, namesColors, needsElement, type Picture, pictureIn } from "../../../src/panels/images/picture";
import { blobOf, reasonOf } from "./made";

test("a picture begins with its description, followed by its bytes", () => {
  const picture = pictureIn(
    blobOf({ width: 640, height: 480, scaled: [320, 240], notes: [reasonOf("CMYK converted"), 7] }, [1, 2, 3]),
  ) as Picture;
  expect(picture).toMatchObject({
    type: "image/png",
    width: 640,
    scaled: { width: 320, height: 240 },
    notes: ["CMYK converted"],
  });
  expect([...picture.data]).toEqual([1, 2, 3]);
});

test("an invalid picture is a text for people", () => {
  const header = new Uint8Array([200, 0, 0, 0, 123, 125]);
  const bad = [
    new Uint8Array(0),
    header,
    new Uint8Array([2, 0, 0, 0, 91, 93]),
    blobOf({ width: -1 }),
    blobOf({ scaled: 3 }),
  ];
  expect(bad.map((blob) => typeof pictureIn(blob))).toEqual(Array(5).fill("function"));
});

test("pictures that would fill the memory, or that no browser shows, are not decoded", () => {
  const sizes = [blobOf({ width: 16384, height: 16384 }), blobOf({ width: 20_000, height: 1 })];
  expect(sizes.map((blob) => typeof pictureIn(blob))).toEqual(["function", "function"]);
  // Scaled down, it is harmless.
  expect(typeof pictureIn(blobOf({ width: 16000, height: 16000, scaled: [320, 320] }))).toBe("object");
  expect(typeof pictureIn(blobOf({ type: "text/html" }))).toBe("function");
});

test("vectors and animations are shown by an element", () => {
  const elements = [{ type: "image/svg+xml" }, { animated: true }, {}].map(
    (more) => pictureIn(blobOf(more)) as Picture,
  );
  expect(elements.map(needsElement)).toEqual([true, true, false]);
});

test("an image that says what its colors are is not shown by its stored values alone", () => {
  const named = (type: string, ...chunks: string[]) =>
    namesColors({ type: `image/${type}`, data: new TextEncoder().encode(`....${chunks.join("....")}`) });
  expect([named("png", "IHDR", "gAMA", "IDAT"), named("png", "IHDR", "iCCP", "IDAT"), named("avif")]).toEqual([
    true,
    true,
    true,
  ]);
  expect([named("jpeg", "Exif", "ICC_PROFILE"), named("webp", "WEBPVP8X", "ICCP")]).toEqual([true, true]);
  expect([named("png", "IHDR", "sRGB", "IDAT"), named("jpeg", "JFIF"), named("bmp")]).toEqual([false, false, false]);
});

test("a drawing is no document of the notebook's origin", async () => {
  const data = new Uint8Array([...new TextEncoder().encode('<svg a="1%#é&"/>'), 0, 255]);
  const address = addressOf({ type: "image/svg+xml", data });
  expect(address).toMatch(/^data:image\/svg\+xml,[a-zA-Z0-9%]+$/);
  expect(new Uint8Array(await (await fetch(address)).arrayBuffer())).toEqual(data);
  const other = addressOf({ type: "image/png", data });
  expect(other).toMatch(/^blob:/);
  URL.revokeObjectURL(other);
});
