// The style sheets of all components as one text inside of the script: compressed with it, they take less than a quarter of
// what they would beside it, and come with it wherever it goes. `src/lib/styles.ts` puts the text into the page.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

/**
 * Folders and files of src/ in the order of the cascade: a rule wins over equally specific ones of earlier layers, in
 * whatever order modules import them. These are no `@layer`s, since every rule of a host's page that is in no layer, such as
 * JupyterLab's for `button`, would win over all of ours.
 */
const LAYERS = ["lib", "dashboard/base.css", "ui", "charts", "items", "lines", "dashboard", "panels"];

/** One text in the order of the cascade, of texts by their paths below src/. Those of other folders come last. */
export function cascade(sheets) {
  const layerOf = (path) => {
    const layer = LAYERS.findIndex((each) => path === each || path.startsWith(`${each}/`));
    return layer < 0 ? LAYERS.length : layer;
  };
  const order = [...sheets].sort(([a], [b]) => layerOf(a) - layerOf(b) || (a < b ? -1 : 1));
  return order.map(([, text]) => text).join("\n");
}

/**
 * Name the root's classes and the animations after the style sheet, so that the dashboards of another version in the same
 * page, whose rules differ, are not touched.
 */
export function scoped(text, scope) {
  const animations = [...new Set([...text.matchAll(/@keyframes (tbwidget-[\w-]+)/g)].map(([, name]) => name))];
  const named = animations.length === 0 ? "" : `|(?<![.\\w-])(?:${animations.join("|")})`;
  return text.replaceAll(new RegExp(`(?:\\.tbwidget(?:-host)?${named})(?![\\w-])`, "g"), `$&-${scope}`);
}

/** The text with single characters for what stands in most rules: `src/lib/styles.ts` puts that in again. */
export function abridged(text, scope) {
  if (/[&$]/.test(text)) {
    throw new Error("style sheets hold & or $, which stand for beginnings of names in the bundle");
  }
  return text.replaceAll(`.tbwidget-${scope} .tbwidget-`, "&").replaceAll("var(--tbwidget-", "$");
}

/** Minified style sheets that modules have imported, by their paths below src/. */
export const sheets = new Map();

/** @type {import("esbuild").Plugin} */
export const styles = {
  name: "styles",
  setup({ onStart, onLoad, onEnd, initialOptions: { target } }) {
    const own = new Map();
    onStart(() => own.clear());
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const { code } = await transform(text, { loader: "css", sourcefile: path, minify: true, target });
      const src = fileURLToPath(new URL("src", import.meta.url));
      const name = relative(src, path).replaceAll("\\", "/");
      own.set(name, code.trim());
      sheets.set(name, code.trim());
      return { contents: "", loader: "js", watchFiles: [path] };
    });
    onEnd(async ({ outputFiles = [] }) => {
      const text = cascade(own);
      const tokens = await readFile(new URL("src/lib/tokens.ts", import.meta.url), "utf8");
      const scope = createHash("sha256")
        .update(text + tokens)
        .digest("hex")
        .slice(0, 8);
      const values = { text: abridged(scoped(text, scope), scope), scope };
      for (const file of outputFiles.filter(({ path }) => path.endsWith(".js"))) {
        const filled = file.text.replaceAll(/(["'`])@styles:(text|scope)\1/g, (_, _quote, name) =>
          JSON.stringify(values[name]),
        );
        file.contents = new TextEncoder().encode(filled);
      }
    });
  },
};
