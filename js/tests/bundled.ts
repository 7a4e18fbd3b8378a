// A module as it is in the bundle.

import { type BuildOptions, build } from "esbuild";

/** Bundles a program, which needs its imports inside it. `entry` is a path below src/. */
export async function bundled(entry: string): Promise<Readonly<Record<string, unknown>>> {
  const name = "../bundle.mjs";
  const { common } = (await import(/* @vite-ignore */ name)) as { common: BuildOptions };
  const options: BuildOptions = { ...common, entryPoints: [`src/${entry}`], format: "esm", minify: true, write: false };
  const { outputFiles } = await build(options);
  const text = outputFiles?.[0]?.text ?? "";
  return await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`);
}
