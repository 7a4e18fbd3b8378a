// The runner as the bundle has it.

import { type BuildOptions, build } from "esbuild";
import type { layoutRunner } from "../../../src/panels/graphs/layout/runner";

/** Only bundled does the program hold all that it needs. */
export async function bundledRunner(): Promise<typeof layoutRunner> {
  const name = "../../../bundle.mjs";
  const { common } = (await import(/* @vite-ignore */ name)) as { common: BuildOptions };
  const entryPoints = ["src/panels/graphs/layout/runner.ts"];
  const { outputFiles } = await build({ ...common, entryPoints, format: "esm", minify: true, write: false });
  const text = outputFiles?.[0]?.text ?? "";
  const module = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`);
  return (module as { layoutRunner: typeof layoutRunner }).layoutRunner;
}
