import { h } from "preact";
import { expect, test, vi } from "vitest";
import { parseNumber, RangeBoxes } from "../../src/ui/rangeboxes";
import { rendered } from "./rendering";

const laterTask = () => new Promise((resolve) => setTimeout(resolve, 20));

async function typed(low: string, high: string, mayBeEqual: boolean) {
  const set = vi.fn();
  const page = rendered(
    h(RangeBoxes<number>, {
      ...{
        names: ["from", "to"],
        hint: "",
        low: null,
        high: null,
        open: ["", ""],
        mayBeEqual,
        parse: parseNumber,
        set,
      },
    }),
  );
  for (const [i, value] of [low, high].entries()) {
    page.root.all("input")[i]?.happen("input", { currentTarget: { value } });
    await laterTask();
  }
  page.root.all("input")[1]?.happen("keydown", { key: "Enter" });
  const said = page.text();
  page.end();
  return { said, set: set.mock.calls[0] };
}

test.each([
  ["1e-3x", "2", true, "“1e-3x” is no finite number"],
  ["1", "inf", true, "“inf” is no finite number"],
  ["3", "2", true, "The first must not be greater than the second"],
  ["2", "2", false, "The first must be less than the second"],
])("a range from %s to %s is refused with a reason", async (low, high, mayBeEqual, reason) => {
  const { said, set } = await typed(low, high, mayBeEqual);
  expect(said).toContain(reason);
  expect(set).toBeUndefined();
});

test.each([
  ["1", "2", false, [1, 2]],
  ["2", "2", true, [2, 2]],
  ["", "-1e-5", true, [null, -1e-5]],
])("a range from %s to %s is set, and nothing is said", async (low, high, mayBeEqual, ends) => {
  const { said, set } = await typed(low, high, mayBeEqual);
  expect(said).toBe("–");
  expect(set).toEqual(ends);
});
