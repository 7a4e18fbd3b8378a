import { expect, it } from "vitest";

// The build's own module has no types.
const name = "../bundle.mjs";
const { deflated } = (await import(name)) as {
  deflated(text: string, how?: { quick: boolean }): Promise<Uint8Array<ArrayBuffer>>;
};

const LINES = Array.from({ length: 4000 }, (_, i) => `const value${i % 97} = take(${(i * 2654435761) >>> 20});`);
const text = LINES.join("\n");

/** Inflates as a page does. */
async function inflated(packed: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}

it("compresses a bundle better than a quick build does, to the same bytes each time", async () => {
  const [packed, quick] = [await deflated(text), await deflated(text, { quick: true })];
  expect(await inflated(packed)).toBe(text);
  expect(await inflated(quick)).toBe(text);
  expect(packed.length).toBeLessThan(quick.length);
  expect([...(await deflated(text))]).toEqual([...packed]);
});
