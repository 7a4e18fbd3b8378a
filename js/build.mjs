// Bundles src/index.ts and its styles into ../tbwidget/static, and JupyterLab's extension into ../labextensions.
// `node build.mjs ENTRY FOLDER` bundles another entry, which is not minified as far.
// `--watch` rebuilds on change, as a plain module with a source map.
import { writeFile } from "node:fs/promises";
import { context } from "esbuild";
import { bundle, common } from "./bundle.mjs";
import { labextension } from "./labextension.mjs";

const given = process.argv.slice(2).filter((one) => one !== "--watch");
const [entry = "src/index.ts", folder = "../tbwidget/static"] = given;

if (process.argv.includes("--watch")) {
  const watched = {
    entryPoints: { dashboard: entry },
    outdir: folder,
    format: "esm",
    sourcemap: "inline",
    write: false,
  };
  const written = {
    name: "written",
    setup: ({ onEnd }) =>
      onEnd(async ({ outputFiles = [] }) => {
        await Promise.all(outputFiles.map(({ path, contents }) => writeFile(path, contents)));
      }),
  };
  const plugins = [...common.plugins, written];
  await (await context({ ...common, ...watched, plugins, logLevel: "info" })).watch();
} else {
  await bundle(entry, folder, { quick: given.length > 0 });
  if (given.length === 0) {
    await labextension(folder, "../labextensions/tbwidget");
  }
}
