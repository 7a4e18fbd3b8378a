// Bundles src/index.ts and its styles into ../tbwidget/static. `--watch` rebuilds on change, with a source map.
import { build, context } from "esbuild";

const watching = process.argv.includes("--watch");

/** @type {import("esbuild").BuildOptions} */
const options = {
  entryPoints: { dashboard: "src/index.ts" },
  outdir: "../tbwidget/static",
  bundle: true,
  format: "esm",
  target: ["chrome109", "firefox115", "safari16.4"],
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "utf8",
  legalComments: "none",
  minify: !watching,
  sourcemap: watching ? "inline" : false,
  logLevel: watching ? "info" : "warning",
};

if (watching) {
  await (await context(options)).watch();
} else {
  await build(options);
}
