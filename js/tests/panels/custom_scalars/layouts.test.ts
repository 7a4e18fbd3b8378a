import { effect, signal } from "@preact/signals";
import { expect, test } from "vitest";
import { type MatchOutcome, RegexWorker } from "../../../src/lib/namematcher";
import { Filter } from "../../../src/options/filters";
import { LayoutMatcher, MAX_ENDED, Patterns } from "../../../src/options/patterns";
import {
  type Category,
  customScalarsCodec,
  joinedLayouts,
  tagsMatching,
} from "../../../src/panels/custom_scalars/layouts";
import { nodeWorkers } from "../../lib/nodeworkers";

const chart = (title: string, ...tags: string[]) => ({ title, tags, series: [] });
const category = (title: string, closed: boolean, ...charts: Category["charts"]) => ({ title, closed, charts });

test("layouts of several runs are joined by the titles of their categories, without duplicate charts", () => {
  const first = [category("losses", true, chart("a", "loss/.*")), category("other", false, chart("b", "x"))];
  const second = [
    category("losses", false, chart("a", "loss/.*"), chart("a", "loss/train")),
    category("mine", false),
    category("mine", true, chart("c", "y")),
  ];
  expect(joinedLayouts([first, second])).toEqual([
    category("losses", true, chart("a", "loss/.*"), chart("a", "loss/train")),
    category("other", false, chart("b", "x")),
    category("mine", false, chart("c", "y")),
  ]);
});

test("tags come in the order of the expressions, each once", () => {
  const matches = [/^b/, /./].map((expression) => (tag: string) => expression.test(tag));
  expect(tagsMatching(matches, ["a", "b1", "c", "b2"])).toEqual(["b1", "b2", "a", "c"]);
});

test("an encoded layout is read; anything else is refused", () => {
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const charts = [{ title: "m", tags: [], series: [["v", "l", "u"]] }];
  expect(customScalarsCodec.decode(bytes({ categories: [{ title: "t", closed: true, charts }] }))).toEqual([
    { title: "t", closed: true, charts: [{ title: "m", tags: [], series: [{ value: "v", lower: "l", upper: "u" }] }] },
  ]);
  expect(() => customScalarsCodec.decode(bytes([]))).toThrow();
});

test("expressions of layouts are found at the beginning of a tag, upper and lower case apart; those of cards anywhere", async () => {
  const asked: string[] = [];
  const worker = {
    match: async (source: string, names: readonly string[], _wanted: unknown, flags: string): Promise<MatchOutcome> => {
      asked.push(`${flags}/${source}`);
      return source.includes("slow")
        ? "ended"
        : names.map((name) => (new RegExp(source, flags).test(name) ? [0, 1] : null));
    },
  } as unknown as RegexWorker;
  const tags = signal(["loss/a", "my loss/b", "Loss/c"]);
  const patterns = new Patterns(tags, worker, worker, new AbortController().signal);
  const matched = async (of: ReturnType<typeof patterns.anywhere>) => {
    await Promise.resolve();
    await new Promise((resolve) => setTimeout(resolve));
    return tags.value.filter(of.matches.value);
  };
  expect(await matched(patterns.atStart("loss/(?P<n>.)"))).toEqual(["loss/a"]);
  expect(await matched(patterns.anywhere("loss/(.)"))).toEqual(["loss/a", "my loss/b", "Loss/c"]);
  expect(await matched(patterns.anywhere("loss/a|c"))).toEqual(["loss/a", "Loss/c"]);
  // An invalid expression, or one that takes too long, matches nothing.
  const broken = patterns.atStart("(");
  expect([await matched(broken), broken.problem.value]).toEqual([[], "openGroup"]);
  const slow = patterns.atStart("(slow+)+");
  expect([await matched(slow), slow.problem.value]).toEqual([[], "ended"]);
  expect(asked).toEqual(["/^(?:loss/(?<n>.))", "i/loss/(.)", "/^(?:(slow+)+)"]);
  tags.value = [...tags.value, "loss/later"];
  expect(await matched(patterns.atStart("loss/(?P<n>.)"))).toEqual(["loss/a", "loss/later"]);
});

test("an expression that no card has any more is let go of", async () => {
  let asked = 0;
  const worker = {
    match: async (_source: string, names: readonly string[]): Promise<MatchOutcome> => {
      asked += 1;
      return names.map(() => [0, 1]);
    },
  } as unknown as RegexWorker;
  const tags = signal(["a"]);
  const patterns = new Patterns(tags, worker, worker, new AbortController().signal);
  const settled = () => new Promise((resolve) => setTimeout(resolve));
  const first = patterns.anywhere("(a+)+");
  const ends = [first.matches, first.problem].map((one) => effect(() => void one.value));
  await settled();
  ends[0]?.();
  await settled();
  expect(patterns.anywhere("(a+)+")).toBe(first);
  ends[1]?.();
  await settled();
  const before = asked;
  tags.value = ["a", "b"];
  await settled();
  expect([before, asked]).toEqual([1, 1]);
  expect(patterns.anywhere("(a+)+")).not.toBe(first);
});

/** Resolves when the worker has answered, or the problem is known. */
function settled({ problem, matches }: ReturnType<Patterns["atStart"]>, tag: string): Promise<string | boolean> {
  return new Promise((resolve) => {
    const stop = effect(() => {
      if (problem.value !== null || matches.value(tag)) {
        resolve(problem.value ?? true);
        queueMicrotask(() => stop());
      }
    });
  });
}

test("expressions of a layout that take forever hold up neither the user's filter nor the good ones before the third", async () => {
  const tag = "a".repeat(40);
  const tags = signal([tag]);
  const start = await nodeWorkers();
  let started = 0;
  const users = new RegexWorker([start]);
  const counted = () => {
    started += 1;
    return start();
  };
  const ofLayouts = new RegexWorker([counted]);
  const end = new AbortController();
  const patterns = new Patterns(tags, users, new LayoutMatcher(ofLayouts), end.signal);
  const sources = Array.from({ length: 400 }, (_, n) => (n === 2 ? "(a){3}" : `(a+)+N${n}$`));
  const charts = sources.map((source) => patterns.atStart(source));
  const outcomes = charts.map((one) => settled(one, tag));
  const filter = new Filter(tags, users, end.signal, () => {});
  filter.set("(a|b){9}$", "typed");
  await new Promise<void>((resolve) => {
    const stop = effect(() => {
      if (!filter.waits.value) {
        resolve();
        queueMicrotask(() => stop());
      }
    });
  });
  expect([filter.inEffect.value, filter.matches.value(tag)]).toEqual(["(a|b){9}$", true]);
  // The answer arrived while the layout's first expression was still being tried.
  expect(charts[0]?.problem.value).toBeNull();
  const found = await Promise.all(outcomes);
  expect(found.slice(0, 5)).toEqual(["ended", "ended", true, "ended", "untried"]);
  expect(found.filter((one) => one === "untried").length).toBe(400 - MAX_ENDED - 1);
  // A stopped expression is remembered, though no chart has it any more.
  const before = started;
  await new Promise((resolve) => setTimeout(resolve));
  expect(patterns.atStart(sources[0] as string)).not.toBe(charts[0]);
  expect(await settled(patterns.atStart(sources[0] as string), tag)).toBe("ended");
  expect(started).toBe(before);
  end.abort();
  users.close();
  ofLayouts.close();
});

test("nothing is computed for charts of a layout without a view", async () => {
  const asked: string[] = [];
  let answer: ((outcome: MatchOutcome) => void) | undefined;
  const worker = {
    match: (source: string, names: readonly string[], isWanted: () => boolean): Promise<MatchOutcome> => {
      if (!isWanted()) {
        return Promise.resolve("unwanted");
      }
      asked.push(source);
      return new Promise((resolve) => {
        answer = () => resolve(names.map(() => [0, 1]));
      });
    },
  } as unknown as RegexWorker;
  const patterns = new Patterns(signal(["a"]), worker, new LayoutMatcher(worker), new AbortController().signal);
  const wait = () => new Promise((resolve) => setTimeout(resolve));
  const ends = ["(a+)+", "(b+)+", "(c+)+"].map((source) => {
    const { matches } = patterns.atStart(source);
    return effect(() => void matches.value);
  });
  await wait();
  for (const end of ends) {
    end();
  }
  await wait();
  answer?.([]);
  await wait();
  expect(asked).toEqual(["^(?:(a+)+)"]);
});
