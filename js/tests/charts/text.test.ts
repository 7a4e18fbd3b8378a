import { expect, test } from "vitest";
import { fittedName } from "../../src/charts/text";

const fitted = (name: string, room: number) => fittedName(name, room, (text) => [...text].length);

test("a name without room for all of it loses its middle, and more of its end than of its beginning", () => {
  expect(fitted("lr=0.001,batch=32", 17)).toBe("lr=0.001,batch=32");
  expect(fitted("lr=0.001,batch=32", 14)).toBe("lr=0.001…ch=32");
  expect(fitted("lr=0.01,batch=32", 14)).toBe("lr=0.01,…ch=32");
  expect([2, 1, 0].map((room) => fitted("baseline", room))).toEqual(["b…", "…", "…"]);
});

test("no name is wider than its space, whatever its characters", () => {
  for (let room = 1; room < 60; room += 1) {
    const text = fitted("🙂".repeat(60), room);
    expect([...text].length).toBeLessThanOrEqual(room);
    // No half of a surrogate pair.
    expect(text).not.toMatch(/[\uD800-\uDFFF]/u);
  }
});
