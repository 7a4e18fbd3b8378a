import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  MATCH_DEADLINE_MS,
  NameMatcher,
  type ParsedPattern,
  parsePattern,
  RegexWorker,
  type Span,
} from "../../src/lib/namematcher";
import type { WorkerLike } from "../../src/lib/workers";
import { nodeWorkers } from "./nodeworkers";

/** Replaces a browser's Worker; answers when the test tells it to. */
class FakeWorker implements WorkerLike {
  static readonly made: FakeWorker[] = [];
  onmessage: WorkerLike["onmessage"] = null;
  onerror: WorkerLike["onerror"] = null;
  readonly asked: unknown[] = [];
  terminated = false;

  constructor() {
    FakeWorker.made.push(this);
  }

  postMessage(message: unknown): void {
    this.asked.push(message);
  }

  terminate(): void {
    this.terminated = true;
  }

  say(data: unknown): void {
    this.onmessage?.({ data });
  }
}

const fake = () => new FakeWorker();

beforeEach(() => {
  vi.useFakeTimers();
  FakeWorker.made.length = 0;
});

afterEach(() => {
  vi.useRealTimers();
});

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

test("a worker is started when it is needed, asked, and let go when it has long had nothing to do", async () => {
  const matcher = new RegexWorker([fake]);
  expect(FakeWorker.made.length).toBe(0);
  const outcome = matcher.match("a+", ["aa", "b"]);
  await settle();
  const [worker] = FakeWorker.made;
  worker?.say("started");
  await settle();
  expect(worker?.asked).toEqual([{ source: "a+", names: ["aa", "b"], flags: "i" }]);
  worker?.say([[0, 2], null]);
  expect(await outcome).toEqual([[0, 2], null]);
  await vi.advanceTimersByTimeAsync(5000);
  expect(worker?.terminated).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(worker?.terminated).toBe(true);
});

test("an expression that takes too long is stopped, and another worker gets the next one", async () => {
  const matcher = new RegexWorker([fake]);
  const slow = matcher.match("(a+)+b", ["aaa"]);
  const quick = matcher.match("x+", ["x"]);
  await settle();
  FakeWorker.made[0]?.say("started");
  await vi.advanceTimersByTimeAsync(MATCH_DEADLINE_MS * 0.9);
  expect(FakeWorker.made[0]?.asked.length).toBe(1);
  await vi.advanceTimersByTimeAsync(MATCH_DEADLINE_MS);
  expect([await slow, FakeWorker.made[0]?.terminated]).toEqual(["ended", true]);
  FakeWorker.made[1]?.say("started");
  await settle();
  FakeWorker.made[1]?.say([[0, 1]]);
  expect(await quick).toEqual([[0, 1]]);
});

test("an answer that a busy page has not read at the deadline still counts", async () => {
  const matcher = new RegexWorker([fake]);
  const outcome = matcher.match("a+", ["a"]);
  await settle();
  const [worker] = FakeWorker.made;
  worker?.say("started");
  await vi.advanceTimersByTimeAsync(MATCH_DEADLINE_MS + 1);
  worker?.say([[0, 1]]);
  expect(await outcome).toEqual([[0, 1]]);
});

test("if one way to start a worker fails, the next is tried; if all fail, none is used", async () => {
  const refused = () => {
    throw new Error("Content Security Policy");
  };
  const second = new RegexWorker([refused, fake]).match("a+", ["a"]);
  await settle();
  FakeWorker.made[0]?.say("started");
  await settle();
  FakeWorker.made[0]?.say([[0, 1]]);
  expect(await second).toEqual([[0, 1]]);

  const matcher = new RegexWorker([refused, fake]);
  const none = matcher.match("a+", ["a"]);
  await settle();
  FakeWorker.made[1]?.onerror?.("blocked");
  expect(await none).toBe("unavailable");
  expect(await matcher.match("a+", ["a"])).toBe("unavailable");
  expect(FakeWorker.made.length).toBe(2);
});

test("a job that no caller wants any more is not started", async () => {
  const matcher = new RegexWorker([fake]);
  expect(await matcher.match("a+", ["a"], () => false)).toBe("unwanted");
  expect(FakeWorker.made.length).toBe(0);
});

test("closing ends the worker and its job", async () => {
  const matcher = new RegexWorker([fake]);
  const outcome = matcher.match("a+", ["a"]);
  await settle();
  FakeWorker.made[0]?.say("started");
  await settle();
  matcher.close();
  expect([await outcome, FakeWorker.made[0]?.terminated, vi.getTimerCount()]).toEqual(["unwanted", true, 0]);
  expect(await matcher.match("a+", ["a"])).toBe("unwanted");
  expect(FakeWorker.made.length).toBe(1);
});

test("in a real thread, names are matched, and an expression that takes forever is ended", async () => {
  vi.useRealTimers();
  const matcher = new RegexWorker([await nodeWorkers()]);
  expect(await matcher.match("(A+)b", ["xaab", "b"])).toEqual([[1, 4, "aa"], null]);
  const begun = performance.now();
  const names = Array.from({ length: 200 }, (_, i) => `${"x".repeat(245)}${i}y`);
  expect(await matcher.match("(?:x{0,200}){3}(?:x{0,200}){3}z", names)).toBe("ended");
  expect(performance.now() - begun).toBeLessThan(20 * MATCH_DEADLINE_MS);
  expect(await matcher.match("^b+$", ["b", "ba"])).toEqual([[0, 1], null]);
  matcher.close();
});

describe("a matcher", () => {
  const asked: string[][] = [];
  /** Runs expressions at once, or returns another outcome. */
  const runner = (outcome?: "ended" | "unavailable") => ({
    match: async (source: string, names: readonly string[], isWanted: () => boolean, flags: string) => {
      asked.push([...names]);
      await Promise.resolve();
      const expression = new RegExp(source, flags);
      const spans = names.map((name): Span | null => {
        const found = expression.exec(name);
        const [whole = "", group = whole] = found ?? [];
        return found && [found.index, found.index + whole.length, group];
      });
      return isWanted() ? (outcome ?? spans) : "unwanted";
    },
  });

  beforeEach(() => {
    vi.useRealTimers();
    asked.length = 0;
  });

  test("finds plain text anywhere, upper and lower case alike", async () => {
    const plain = new NameMatcher("(A+)+", runner(), { isPlain: true });
    expect(["x(a+)+", "aaa"].map((name) => plain.find(name))).toEqual([[1, 6], null]);
    expect(await plain.match(["x(a+)+", "aaa"], () => true)).toEqual([true, false]);
    expect(asked).toEqual([]);
  });

  test("plain text is found in any number of names at once", () => {
    const plain = new NameMatcher("xyz", runner(), { isPlain: true });
    const names = Array.from({ length: 80_000 }, (_, i) => `${"x".repeat(100)}${i}`);
    expect(names.every((name) => plain.find(name) === null)).toBe(true);
    const expression = new NameMatcher("x.z", runner());
    expect(names.filter((name) => expression.find(name) === undefined).length).toBeGreaterThan(0);
  });

  test("returns each name once, with the text of the first group", async () => {
    const matcher = new NameMatcher("(a+)b", runner());
    expect(matcher.find("xaab")).toBeUndefined();
    expect(await matcher.learn(["xaab", "c"])).toBe("known");
    expect(await matcher.learn(["xaab", "c", "ab"])).toBe("known");
    expect(asked).toEqual([["xaab", "c"], ["ab"]]);
    expect([matcher.find("xaab"), matcher.find("c")]).toEqual([[1, 4, "aa"], null]);
    expect(["xaab", "c", "ab", "new"].map((name) => matcher.captured(name))).toEqual(["aa", null, "a", null]);
  });

  test("an answer that was overtaken, or comes after the end, is not wanted", async () => {
    const matcher = new NameMatcher("(a+)b", runner());
    const first = matcher.learn(["ab"]);
    const second = matcher.learn(["aab"]);
    expect([await first, await second]).toEqual(["unwanted", "known"]);
    expect(matcher.knows("ab")).toBe(false);
    const last = matcher.learn(["ab"]);
    matcher.close();
    expect(await last).toBe("unwanted");
  });

  test("says why there is no answer", async () => {
    expect(await new NameMatcher("(a+)b", runner("ended")).match(["ab"], () => true)).toBe("ended");
    expect(await new NameMatcher("(a+)b", runner("unavailable")).learn(["ab"])).toBe("unavailable");
    expect(await new NameMatcher("a", runner()).match(Array(20_000).fill("a"), () => false)).toBe("unwanted");
    expect(await new NameMatcher("a(", runner()).match(["a("], () => true)).toEqual([false]);
    expect(await new NameMatcher("", runner()).match(["a"], () => true)).toEqual([true]);
  });

  test("very many names are asked about in batches, each with a deadline of its own", async () => {
    const names = Array.from({ length: 45_000 }, (_, i) => (i % 2 ? "ab" : "c"));
    const found = await new NameMatcher("(a+)b", runner()).match(names, () => true);
    expect(asked.map(({ length }) => length)).toEqual([20_000, 20_000, 5_000]);
    expect(typeof found === "string" ? found : found.filter(Boolean).length).toBe(22_500);
  });
});

function faultOf(parsed: ParsedPattern): string | null {
  return parsed.type === "invalid" ? parsed.fault : null;
}

test.each(["loss", "loss|acc", "^train/", "lr0.1$", "a\\.b", "[a-c]x", "[(a+)]", "\\d\\d", "a.b|[^x]"])(
  "%s matches in a time that is bounded",
  (text) => {
    expect(parsePattern(text).type).toBe("bounded");
  },
);

test("a bounded pattern is found anywhere, upper and lower case alike", () => {
  const parsed = parsePattern("LOSS|^acc");
  const expression = parsed.type === "bounded" ? parsed.expression : /never/;
  expect(["train/loss", "accuracy", "my_accuracy"].map((name) => expression.test(name))).toEqual([true, true, false]);
});

// Without a quantifier, groups of alternatives take as long: each may match in two ways.
test.each([
  "a*",
  "a+",
  "ab?",
  "a{2}",
  "(a+)+",
  ".*.*.*.*.*\\d",
  "(?:a{0,200}){3}(?:a{0,200}){3}z",
  "(a|a)(a|a)(a|a)",
  "(?=.*a)b",
  "(.)\\1",
  "\\u0061",
  "[a]+",
])("%s may take forever", (text) => {
  expect(parsePattern(text).type).toBe("unbounded");
});

test("no text matches everything", () => {
  expect(parsePattern("").type).toBe("all");
});

test.each([
  ["(", "openGroup"],
  ["a)", "closedGroup"],
  ["[a", "openClass"],
  ["*", "nothingToRepeat"],
  ["\\", "loneBackslash"],
  ["a{2,1}", "orderOfNumbers"],
  ["[b-a]", "orderOfRange"],
  ["(?%a)", "badGroup"],
  ["(?<1>a)", "badName"],
])("%s is no expression: %s", (text, fault) => {
  expect(faultOf(parsePattern(text))).toBe(fault);
});
