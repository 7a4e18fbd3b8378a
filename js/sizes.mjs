// Prints how many bytes of the bundle each of its files takes, by kind of bundle: {"js": {"src/index.ts": 600, …}, "css": …}.
import { build } from "esbuild";
import { common } from "./bundle.mjs";

const { metafile } = await build({
  ...common,
  entryPoints: ["src/index.ts"],
  outdir: "unused",
  minify: true,
  metafile: true,
  write: false,
});
const found = {};
for (const [output, { inputs }] of Object.entries(metafile.outputs)) {
  const sizes = {};
  found[output.slice(output.lastIndexOf(".") + 1)] = sizes;
  for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
    sizes[path] = bytesInOutput;
  }
}
process.stdout.write(`${JSON.stringify(found)}\n`);
