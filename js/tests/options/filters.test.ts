import { signal } from "@preact/signals";
import { beforeEach, expect, test } from "vitest";
import type { MatchOutcome, RegexWorker, Span } from "../../src/lib/namematcher";
import { Filter, type FilterOrigin } from "../../src/options/filters";

/** Replaces the worker; the test answers its questions one by one. */
class FakeWorker {
  readonly asked: { readonly source: string; readonly names: readonly string[] }[] = [];
  readonly #answers: ((outcome: MatchOutcome) => void)[] = [];

  match(source: string, names: readonly string[]): Promise<MatchOutcome> {
    this.asked.push({ source, names });
    return new Promise((resolve) => this.#answers.push(resolve));
  }

  async answer(outcome: MatchOutcome | "truly"): Promise<void> {
    const { source, names } = this.asked[this.asked.length - this.#answers.length] ?? { source: "", names: [] };
    const truly = names.map((name): Span | null => {
      const found = new RegExp(source, "i").exec(name);
      return found && [found.index, found.index + found[0].length];
    });
    this.#answers.shift()?.(outcome === "truly" ? truly : outcome);
    await Promise.resolve();
    await Promise.resolve();
  }
}

const names = signal<readonly string[]>([]);
let worker: FakeWorker;
let told: string[];
let end: AbortController;
let filter: Filter;

beforeEach(() => {
  names.value = ["loss", "aab", "lr"];
  worker = new FakeWorker();
  told = [];
  end = new AbortController();
  filter = new Filter(names, worker as unknown as RegexWorker, end.signal, (text) => told.push(text));
});

function shown(): string[] {
  return names.value.filter(filter.matches.value);
}

test("a text whose time is bounded is matched at once, and asks no worker", () => {
  filter.set("^L", "typed");
  expect([shown(), filter.waits.value, worker.asked, told]).toEqual([["loss", "lr"], false, [], ["^L"]]);
  names.value = [...names.value, "later"];
  expect(shown()).toEqual(["loss", "lr", "later"]);
});

test("the worker matches another text; the former filter stays in effect until it answers", async () => {
  filter.set("lr", "typed");
  filter.set("(a+)b", "typed");
  expect([shown(), filter.waits.value, filter.text.value, told]).toEqual([["lr"], true, "(a+)b", ["lr"]]);
  await worker.answer("truly");
  expect([shown(), filter.waits.value, told]).toEqual([["aab"], false, ["lr", "(a+)b"]]);
});

test("names that come are asked about, and only those; until the answer they do not match", async () => {
  filter.set("a+", "typed");
  await worker.answer("truly");
  names.value = [...names.value, "aaa"];
  expect([worker.asked.at(-1)?.names, shown(), filter.waits.value]).toEqual([["aaa"], ["aab"], true]);
  await worker.answer("truly");
  expect([shown(), filter.waits.value, told]).toEqual([["aab", "aaa"], false, ["a+"]]);
});

test("a text that was ended is said to have been, and is never told to anybody", async () => {
  filter.set("(a+)+$", "typed");
  await worker.answer("ended");
  expect([shown(), filter.problem.value, filter.text.value, filter.inEffect.value]).toEqual([
    ["loss", "aab", "lr"],
    "ended",
    "(a+)+$",
    "",
  ]);
  names.value = [...names.value, "more"];
  expect([worker.asked.length, told]).toEqual([1, []]);
});

test("a text that is ended later, upon other names, is taken back", async () => {
  filter.set("a+", "typed");
  await worker.answer("truly");
  names.value = [...names.value, "a".repeat(40)];
  await worker.answer("ended");
  expect([filter.problem.value, told, shown().length]).toEqual(["ended", ["a+", ""], 4]);
});

test.each([
  ["restored", ["a+", ""]],
  ["code", []],
] as const)("what was %s and is ended then: %j is told", async (origin: FilterOrigin, expected) => {
  filter.set("a+", origin);
  await worker.answer("truly");
  names.value = ["b"];
  await worker.answer("ended");
  expect([told, filter.problem.value]).toEqual([expected, "ended"]);
});

test("an invalid expression hides nothing and is not sent; the former filter is no longer in effect", () => {
  filter.set("lr", "typed");
  filter.set("lr(", "typed");
  expect([shown().length, filter.problem.value, filter.text.value, told]).toEqual([3, "openGroup", "lr(", ["lr", ""]]);
  filter.set("lr", "typed");
  expect([shown(), filter.problem.value, told]).toEqual([["lr"], null, ["lr", "", "lr"]]);
});

test("without a worker, the text itself is searched for, which is said", async () => {
  filter.set("A+", "typed");
  names.value = ["a+b", "aab"];
  await worker.answer("unavailable");
  expect(filter.problem.value).toBeNull();
  await worker.answer("unavailable");
  expect([shown(), filter.problem.value, told]).toEqual([["a+b"], "plainText", ["A+"]]);
});

test("an answer about a text that was replaced changes nothing", async () => {
  filter.set("a+", "typed");
  filter.set("lr", "typed");
  await worker.answer("truly");
  expect([shown(), told]).toEqual([["lr"], ["lr"]]);
});

test("names on which even a bounded text takes long are matched by the worker", async () => {
  filter.set("xyz.xyz.xyz", "typed");
  names.value = Array.from({ length: 50_000 }, (_, i) => `${"x".repeat(100)}${i}`);
  expect(shown()).toEqual([]);
  await Promise.resolve();
  expect([worker.asked.length, filter.waits.value]).toEqual([1, true]);
  const tested = names.value.length - (worker.asked[0]?.names.length ?? 0);
  expect([tested > 1000, tested < 40_000]).toEqual([true, true]);
  await worker.answer(names.value.slice(tested).map(() => [0, 1] as const));
  expect([shown().length, filter.waits.value]).toEqual([names.value.length - tested, false]);
});

test("after the end no names are asked about", () => {
  filter.set("a+", "typed");
  end.abort();
  names.value = ["other"];
  expect(worker.asked.length).toBe(1);
});

test("a restored text whose matching is ended, or that is no regular expression, is not restored again", async () => {
  filter.set("(a+)+b", "restored");
  await worker.answer("ended");
  expect([filter.problem.value, filter.inEffect.value, told]).toEqual(["ended", "", [""]]);
  filter.set("(", "restored");
  expect(told).toEqual(["", ""]);
  filter.set("(", "code");
  expect(told).toEqual(["", ""]);
});

test("a name matches by its other names, whether they are known before the text or after it, and the worker learns them", async () => {
  const aliases = signal<ReadonlyMap<string, readonly string[]>>(new Map());
  filter = new Filter(names, worker as unknown as RegexWorker, end.signal, () => {}, undefined, aliases);
  filter.set("rate", "typed");
  expect(shown()).toEqual([]);
  aliases.value = new Map([["lr", ["Learning rate"]]]);
  expect(shown()).toEqual(["lr"]);
  filter.set("lr|loss", "typed");
  expect(shown()).toEqual(["loss", "lr"]);
  filter.set("(le)+a", "typed");
  await worker.answer("truly");
  expect(shown()).toEqual(["lr"]);
});
