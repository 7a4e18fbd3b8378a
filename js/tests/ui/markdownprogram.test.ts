import { expect, test } from "vitest";
import { program } from "../../src/ui/markdown/program";

const { html: htmlOf, limits } = program();
const markdownHtml = (texts: readonly string[], now?: () => number) => htmlOf({ texts, characters: {} }, false, now);
const html = (text: string) => markdownHtml([text])?.[0]?.replaceAll("\n", "");

test("tables, code and lists are Markdown", () => {
  expect(html("| a | b |\n|--|-:|\n| 1 | *2* |")).toBe(
    '<table><thead><tr><th>a</th><th align="right">b</th></tr></thead><tbody><tr><td>1</td><td align="right"><em>2</em></td></tr></tbody></table>',
  );
  expect(html("```python\nx < 1\n```")).toBe('<pre><code class="language-python">x &lt; 1</code></pre>');
  expect(html("- a\n  - b")).toBe("<ul><li>a<ul><li>b</li></ul></li></ul>");
});

test("HTML is text, and no address runs anything", () => {
  expect(html("<script>x</script>")).toBe("&lt;script&gt;x&lt;/script&gt;");
  expect(html("a <b onclick=x>b</b>")).toBe("<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>");
  expect(html("[a](javascript:alert(1))")).toBe('<p><a href="">a</a></p>');
});

test("several texts are each of their own", () => {
  expect(markdownHtml(["*a", "b*", ""])).toEqual(["<p>*a</p>", "<p>b*</p>", ""]);
});

test("text that is too long is not parsed as Markdown", () => {
  expect(html("a".repeat(limits.characters))).toBeDefined();
  expect(markdownHtml(["a".repeat(limits.characters), "b"])).toBeNull();
});

test.each([
  [">", 20_000],
  ["1. ", 20_000],
  ["> - ", 20_000],
  ["_a*b_ ", 30_000],
  ["**x", 90_000],
])("%j very often is refused before it takes time", (unit, length) => {
  const never = () => {
    throw new Error("the parser has begun");
  };
  let asked = 0;
  const now = () => {
    asked += 1;
    return asked > 1 ? never() : 0;
  };
  expect(markdownHtml([unit.repeat(length / unit.length)], now)).toBeNull();
});

test("a text that turns out to take too long is stopped", () => {
  let time = 0;
  const now = () => {
    time += 1;
    return time;
  };
  expect(markdownHtml(["a\n=\n".repeat(2_000)], now)).toBeNull();
  expect(time).toBeLessThan(510);
  expect(markdownHtml(["a\n=\n".repeat(2)], () => 0)).toEqual(["<h1>a</h1>\n<h1>a</h1>\n"]);
});

test("cells that short rows are padded with count; nothing is compiled beyond the bound", () => {
  const table = (columns: number, rows: number) =>
    `${"|a".repeat(columns)}\n${"|-".repeat(columns)}\n${"|\n".repeat(rows)}`;
  expect(markdownHtml([table(100, limits.cells / 100 - 1)])).not.toBeNull();
  expect(markdownHtml([table(100, limits.cells / 100)])).toBeNull();
  expect(markdownHtml([table(6_000, 2_000)], () => 0)).toBeNull();
  expect(markdownHtml([`- x\n\n${table(2_000, 500).replace(/^/gm, "  ")}`], () => 0)).toBeNull();
  // Several tables, and several texts, count together.
  expect(markdownHtml([[1, 2, 3].map(() => table(100, 90)).join("\n\n")], () => 0)).toBeNull();
  expect(
    markdownHtml(
      [1, 2, 3].map(() => table(100, 90)),
      () => 0,
    ),
  ).toBeNull();
});

test("HTML is bounded, also with references that repeat a long address", () => {
  const address = `http://x/${"y".repeat(1_000)}`;
  expect(markdownHtml([`${"[a] ".repeat(900)}\n\n[a]: ${address}`], () => 0)).not.toBeNull();
  expect(markdownHtml([`${"[a] ".repeat(2_000)}\n\n[a]: ${address}`], () => 0)).toBeNull();
  expect(limits.html).toBeLessThan(2_000 * address.length);
  expect(markdownHtml([`${"*a* ".repeat(1_900)}\n\n`.repeat(12)], () => 0)).not.toBeNull();
  expect(markdownHtml(["a\n\n".repeat(33_000)], () => 0)).toBeNull();
});

test("where nothing else can end the parser, brackets are counted, too", () => {
  for (const text of [`${"![".repeat(1_000)}${"](a)".repeat(1_000)}`, "[a](".repeat(1_000)]) {
    expect(htmlOf({ texts: [text], characters: {} }, true, () => 0)).toBeNull();
  }
  expect(htmlOf({ texts: ["[a](b) ".repeat(300)], characters: {} }, true)).not.toBeNull();
});
