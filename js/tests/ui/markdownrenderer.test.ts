import { afterEach, expect, test } from "vitest";
import type { WorkerStarter } from "../../src/lib/workers";
import type * as Renderer from "../../src/ui/markdown/nodes";
import { bundled } from "../bundled";
import { threads } from "../lib/nodeworkers";

const { MarkdownRenderer, MAX_TOTAL, MAX_ALONE } = (await bundled("ui/markdown/nodes.ts")) as typeof Renderer;
const { start, started } = await threads();

const forbidden: WorkerStarter = () => {
  throw new Error("no workers here");
};
const whole = new AbortController().signal;
/** Text that is too long to be rendered at once. */
const long = (text: string) => `${text}\n\n${"word ".repeat(300)}`;
const links = (n: number) => `${n} ${"[a](".repeat(24_000)}`;

afterEach(() => {
  for (const worker of started.splice(0)) {
    worker.terminate();
  }
});

test("short texts are rendered at once, long ones in a worker", async () => {
  const renderer = new MarkdownRenderer([start]);
  expect(renderer.render(["*a*", "| b |\n|--|"], whole)).toEqual([
    "<p><em>a</em></p>",
    "<table>\n<thead>\n<tr>\n<th>b</th>\n</tr>\n</thead>\n</table>",
  ]);
  expect(started.length).toBe(0);
  const rendered = renderer.render([long("*a* &lt;")], whole);
  expect(rendered).toBeInstanceOf(Promise);
  expect((await rendered)?.[0]).toMatch(/^<p><em>a<\/em> &amp;lt;<\/p>\n<p>word /);
  expect(started.length).toBe(1);
  // Results are remembered.
  expect(renderer.render([long("*a* &lt;")], whole)).toEqual(await rendered);
});

test("a text that takes too long is stopped and remembered; the worker is restarted for the next", async () => {
  let isFirst = true;
  const deaf: WorkerStarter = (source) => {
    const worker = start(source);
    if (isFirst) {
      worker.postMessage = () => {};
      isFirst = false;
    }
    return worker;
  };
  const renderer = new MarkdownRenderer([deaf]);
  expect(await renderer.render([long("*a*")], whole)).toBeNull();
  expect(renderer.render([long("*a*")], whole)).toBeNull();
  expect((await renderer.render([long("*b*")], whole))?.[0]).toMatch(/^<p><em>b/);
  expect(started.length).toBe(2);
  // So is a text on which the parser itself gave up.
  expect(await renderer.render([links(0)], whole)).toBeNull();
  expect(renderer.render([links(0)], whole)).toBeNull();
});

test("texts that are looked at have a time for all together, which those that left give back", async () => {
  const renderer = new MarkdownRenderer([start]);
  const ends = Array.from({ length: 8 }, () => new AbortController());
  const rendered = ends.map(({ signal }, n) => renderer.render([links(n)], signal));
  expect(await Promise.all(rendered)).toEqual(ends.map(() => null));
  expect(started.length).toBeLessThanOrEqual(MAX_TOTAL / 500);
  expect(renderer.render(["*a*"], whole)).toBeNull();
  for (const end of ends) {
    end.abort();
  }
  expect(renderer.render(["*a*"], whole)).toEqual(["<p><em>a</em></p>"]);
  expect((await renderer.render([long("*c*")], whole))?.[0]).toMatch(/^<p><em>c/);
});

test("a text that left before its turn came is not rendered", async () => {
  const asked: unknown[] = [];
  const counting: WorkerStarter = (source) => {
    const worker = start(source);
    const { postMessage } = worker;
    worker.postMessage = (message) => {
      asked.push(message);
      postMessage(message);
    };
    return worker;
  };
  const renderer = new MarkdownRenderer([counting]);
  const [first, second] = [new AbortController(), new AbortController()];
  const rendered = [renderer.render([long("a")], first.signal), renderer.render([long("b")], second.signal)];
  second.abort();
  expect((await Promise.all(rendered)).map((one) => one !== null)).toEqual([true, false]);
  expect(asked.length).toBe(1);
});

test("without workers, texts up to a length are rendered in the page, where brackets are few", async () => {
  const renderer = new MarkdownRenderer([forbidden]);
  expect((await renderer.render([long("*a*")], whole))?.[0]).toMatch(/^<p><em>a/);
  expect(await renderer.render(["word ".repeat(MAX_ALONE / 4)], whole)).toBeNull();
  expect(await renderer.render(["![".repeat(1_000) + "](a)".repeat(1_000)], whole)).toBeNull();
});

test("the worker ends with the last of the texts, and not when one takes the place of another", async () => {
  let ended = 0;
  const counting: WorkerStarter = (source) => {
    const worker = start(source);
    const { terminate } = worker;
    worker.terminate = () => {
      ended += 1;
      terminate();
    };
    return worker;
  };
  const renderer = new MarkdownRenderer([counting]);
  const leave = renderer.attach();
  await renderer.render([long("a")], whole);
  leave();
  const leaveAgain = renderer.attach();
  await Promise.resolve();
  expect(ended).toBe(0);
  leaveAgain();
  await Promise.resolve();
  expect(ended).toBe(1);
});

test("the elements of all texts that are looked at are bounded, also of those that are remembered", () => {
  const renderer = new MarkdownRenderer([forbidden]);
  const ends = Array.from({ length: 100 }, () => new AbortController());
  const table = `${"|a".repeat(30)}\n${"|-".repeat(30)}\n${"|\n".repeat(250)}`;
  const shown = () => ends.map(({ signal }) => renderer.render([table], signal) !== null).filter(Boolean).length;
  const first = shown();
  expect(first).toBeGreaterThan(1);
  expect(first).toBeLessThan(10);
  for (const [n, end] of ends.entries()) {
    end.abort();
    ends[n] = new AbortController();
  }
  expect(shown()).toBe(first);
});
