// Prints how many bytes of the bundle each of its files takes, and each panel, compressed as the bundle is:
// {"files": {"js": {"src/index.ts": 600, …}, "css": …}, "panels": {"js": {"audio": 6000, …}, "css": …}}.
// JavaScript is counted as it is sent, minified twice.

import { SourceMap } from "node:module";
import { relative } from "node:path";
import { build } from "esbuild";
import { minify } from "terser";
import { common, deflated, smallest } from "./bundle.mjs";
import { sheets } from "./styles.mjs";

const { outputFiles } = await build({
  ...common,
  entryPoints: ["src/index.ts"],
  outdir: ".",
  format: "esm",
  minify: true,
  legalComments: "external",
  sourcemap: "external",
  write: false,
});
const output = (suffix) => outputFiles.find(({ path }) => path.endsWith(suffix)).text;
const sourceMap = { content: output(".js.map"), asObject: true };
const script = await minify(output(".js"), { ...smallest, sourceMap });
const found = { files: {}, panels: {} };
for (const [kind, files] of [
  ["js", [...textsOfFiles(script.code, new SourceMap(script.map))]],
  ["css", [...sheets].map(([path, text]) => [`src/${path}`, text])],
]) {
  found.files[kind] = Object.fromEntries(files.map(([path, own]) => [path, own.length]));
  const names = new Set(files.map(([path]) => /^src\/panels\/(\w+)\//.exec(path)?.[1] ?? ""));
  names.delete("");
  found.panels[kind] = {};
  for (const name of names) {
    found.panels[kind][name] = (await deflated(textOfPanel(files, name))).length;
  }
}
process.stdout.write(`${JSON.stringify(found)}\n`);

/** The text that comes from each file. */
function textsOfFiles(text, map) {
  const pieces = new Map();
  for (const [number, line] of text.split("\n").entries()) {
    let begin = 0;
    let source = map.findEntry(number, 0).originalSource;
    for (let at = 1; at <= line.length; at += 1) {
      const next = at < line.length ? map.findEntry(number, at).originalSource : null;
      if (next !== source) {
        const own = pieces.get(source) ?? [];
        own.push(line.slice(begin, at));
        pieces.set(source, own);
        begin = at;
        source = next;
      }
    }
  }
  return new Map([...pieces].map(([source, own]) => [relative(".", source ?? ""), own.join("")]));
}

function textOfPanel(files, panel) {
  const own = files.filter(([path]) => path.startsWith(`src/panels/${panel}/`));
  return own.map(([, text]) => text).join("");
}
