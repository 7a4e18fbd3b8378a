import { expect, test } from "vitest";
import { MOST_CHARACTERS, markdownHtml } from "../../src/ui/markdown";

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

test("what is too long is not taken for Markdown", () => {
  expect(html("a".repeat(MOST_CHARACTERS))).toBeDefined();
  expect(markdownHtml(["a".repeat(MOST_CHARACTERS), "b"])).toBeNull();
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

test("what turns out to take too long is ended", () => {
  let time = 0;
  const now = () => {
    time += 1;
    return time;
  };
  expect(markdownHtml(["a\n=\n".repeat(2_000)], now)).toBeNull();
  expect(time).toBeLessThan(510);
  expect(markdownHtml(["a\n=\n".repeat(2)], () => 0)).toEqual(["<h1>a</h1>\n<h1>a</h1>\n"]);
});
