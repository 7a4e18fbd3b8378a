import { expect, test } from "vitest";
import { type Place, redaction } from "../../src/wire/redaction";
import { places, redacted } from "../fixtures/redaction.json";

test.each(redacted)("%s is redacted as it is by the kernel", (text, shown) => {
  expect(redaction(places as unknown as Place[])(text as string)).toBe(shown);
});

test("without places only the machine is left out", () => {
  expect(redaction([])("/a/tfevents.17.my-host.5")).toBe("/a/tfevents.17");
});
