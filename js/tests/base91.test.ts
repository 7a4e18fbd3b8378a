import { expect, it } from "vitest";

interface Base91 {
  encode(bytes: Uint8Array): string;
  decode(text: string, length: number): Uint8Array;
}

// The build's own module has no types.
const name = "../base91.mjs";
const { decode, encode } = (await import(name)) as Base91;

const noise = Uint8Array.from({ length: 3000 }, (_, i) => (i * i * 2654435761) >>> 11);

it.each([0, 1, 2, 12, 13, 14, 26, 1000, 3000])("decodes what it encodes: %i bytes", (length) => {
  for (const bytes of [noise.slice(0, length), new Uint8Array(length), new Uint8Array(length).fill(255)]) {
    expect(decode(encode(bytes), length)).toEqual(bytes);
  }
});

it("takes two characters for 13 bits, and none that is escaped somewhere", () => {
  const text = encode(Uint8Array.from({ length: 13 * 8192 }, (_, i) => (i * 2654435761) >>> 13));
  expect(text).toHaveLength(16 * 8192);
  expect(text).toMatch(/^[ -~]*$/);
  expect(text).not.toMatch(/["\\<&]/);
  expect(JSON.stringify(text)).toBe(`"${text}"`);
});

it("decodes by its own text alone", () => {
  const alone = new Function(`return ${decode}`)() as Base91["decode"];
  expect(alone(encode(noise), noise.length)).toEqual(noise);
});
