import { expect, test } from "vitest";
import { distinct, fileName } from "../../src/lib/filenames";
import { extensionOf } from "../../src/panels/images/codec";

const name = (run: string, tag: string, step = 40n, sample: number | null = null) =>
  fileName({ run, tag, step, sample }, "png");

test("a name says run, tag, step and sample", () => {
  expect(name("train", "digits/7", 40n, 1)).toBe("train_digits-7_step40_sample1.png");
  expect(name(".", "input", 9007199254740993n)).toBe("input_step9007199254740993.png");
  expect(name("lauf ä", "画像")).toBe("lauf-ä_画像_step40.png");
});

test("no name leads anywhere, is hidden, or means a device", () => {
  for (const hostile of [
    "../../etc/passwd",
    "/etc/passwd",
    "C:\\windows\\system32",
    "..",
    ".bashrc",
    "a\0b\nc\u202egnp.exe",
    'x<>:"|?*',
    "-rf",
    "con",
    "CON.txt",
    "nul",
    " ",
    "",
    "\ud800",
  ]) {
    for (const found of [name(hostile, hostile), name(".", hostile), name(hostile, "")]) {
      expect(found).toMatch(/^(?=[\p{L}\p{N}])[\p{L}\p{M}\p{N}_-]*step40\.png$/u);
      expect(found.split(".")[0]).not.toMatch(/^(con|nul)$/i);
    }
  }
});

test("a long name keeps its end, and fits any file system", () => {
  expect(name("a", `${"x/".repeat(500)}last`)).toMatch(/last_step40\.png$/);
  const long = name("😀é".repeat(300), "漢".repeat(300), -9223372036854775808n, 4294967295);
  expect(new TextEncoder().encode(long).length).toBeLessThan(255);
});

test("names in a zip are distinct wherever it is unpacked", () => {
  expect(distinct(["a.png", "A.png", "a.png", "b.png", "a (2).png"])).toEqual([
    "a.png",
    "A (2).png",
    "a (3).png",
    "b.png",
    "a (2) (2).png",
  ]);
  expect(new Set(distinct(Array<string>(500).fill("a.png"))).size).toBe(500);
});

test("extensions follow from the format, or from the type", () => {
  expect(["PNG", "JPEG", "TIFF", "JPEG2000", "SVG", "PPM"].map((format) => extensionOf(format, ""))).toEqual([
    "png",
    "jpg",
    "tif",
    "jp2",
    "svg",
    "ppm",
  ]);
  expect(
    ["image/png", "image/jpeg", "image/svg+xml", "image/x-icon", "text/../html"].map((t) => extensionOf(null, t)),
  ).toEqual(["png", "jpg", "svg", "icon", "bin"]);
});
