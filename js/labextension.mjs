// Builds the extension that JupyterLab 4 and Notebook 7 load by themselves: a folder of `share/jupyter/labextensions/`.
// It holds the widget's bundle once more, under a name of its own, since servers let browsers keep such files for ever.

import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { common } from "./bundle.mjs";

/** Makes `folder` of the bundle in `bundled`. */
export async function labextension(bundled, folder) {
  const static_ = join(folder, "static");
  await rm(folder, { recursive: true, force: true });
  await mkdir(static_, { recursive: true });
  const text = await readFile(join(bundled, "dashboard.js"), "utf8");
  const script = hashed("dashboard.js", text);
  await writeFile(join(static_, script), text);
  const { outputFiles } = await build({
    ...common,
    entryPoints: [here("src/labextension.ts")],
    format: "iife",
    minify: true,
    write: false,
    define: { SCRIPT: JSON.stringify(script) },
  });
  const entry = hashed("remoteEntry.js", outputFiles[0].text);
  const version = /__version__ = "(.+)"/.exec(await readFile(here("../tbwidget/_version.py"), "utf8"))?.[1];
  const { description, license } = JSON.parse(await readFile(here("package.json"), "utf8"));
  const load = `static/${entry}`;
  const manifest = {
    name: "tbwidget",
    version,
    description,
    license,
    jupyterlab: { extension: true, _build: { load, extension: "./extension" } },
  };
  const install = {
    packageManager: "python",
    packageName: "tbwidget",
    uninstallInstructions: "Use your Python package manager (pip, conda …) to uninstall the package tbwidget",
  };
  await Promise.all([
    writeFile(join(static_, entry), outputFiles[0].text),
    writeFile(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`),
    writeFile(join(folder, "install.json"), `${JSON.stringify(install, null, 2)}\n`),
  ]);
}

/** A name that other contents do not have. */
function hashed(name, text) {
  const [stem, suffix] = name.split(".");
  return `${stem}.${createHash("sha256").update(text).digest("hex").slice(0, 16)}.${suffix}`;
}

function here(path) {
  return fileURLToPath(new URL(path, import.meta.url));
}
