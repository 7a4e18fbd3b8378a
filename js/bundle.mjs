// Bundles an entry and its styles into dashboard.js, with the licenses of what is bundled; and page.js, the script of pages
// that are saved as files, and figure.js, that of bqplot's figures.

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";
import { zlibAsync } from "@gfx/zopfli";
import { build, transformSync } from "esbuild";
import { minify } from "terser";
import { decode, encode } from "./base91.mjs";
import { styles } from "./styles.mjs";

/** Bytes in the bundles of programs, by file, as esbuild's metafile has them; and comments on licenses in those files. */
const programInputs = {};
const programComments = new Set();

/**
 * A module `program.ts` exports one function, `program`. It is bundled for itself, with all that it imports inside of the
 * function: so its text can be given to a worker, and the bundle holds it once.
 *
 * @type {import("esbuild").Plugin}
 */
const programs = {
  name: "programs",
  setup({ onLoad, initialOptions: { minify = false, target, charset, alias } }) {
    onLoad({ filter: /[\\/]program\.ts$/ }, async ({ path }) => {
      const { outputFiles, metafile } = await build({
        entryPoints: [path],
        bundle: true,
        outdir: ".",
        format: "esm",
        minify,
        target,
        charset,
        alias,
        legalComments: "external",
        write: false,
        metafile: true,
      });
      for (const output of Object.values(metafile.outputs)) {
        Object.assign(programInputs, output.inputs);
      }
      for (const comments of outputFiles.filter(isOnLicenses)) {
        programComments.add(comments.text.trim());
      }
      const text = one(outputFiles, ".js").replace(/export\s*\{\s*([\w$]+)[^}]*\};?\s*$/, "return $1();");
      const contents = `export function program() {\n${text}\n}`;
      return { contents, loader: "js", watchFiles: Object.keys(metafile.inputs) };
    });
  },
};

function local(path) {
  return fileURLToPath(new URL(path, import.meta.url));
}

/** @type {import("esbuild").BuildOptions} */
export const common = {
  bundle: true,
  target: ["chrome109", "firefox115", "safari16.4"],
  jsx: "automatic",
  jsxImportSource: "preact",
  charset: "ascii",
  alias: {
    // A list as large as the parser of Markdown.
    "decode-named-character-reference": local("src/ui/markdown/characters.ts"),
    // Its sources are smaller than what was compiled of them for old browsers.
    "umap-js": local("node_modules/umap-js/src/umap.ts"),
    // Matrices of any size, to fit two numbers.
    "ml-levenberg-marquardt": local("src/panels/projector/umap/curvefit.ts"),
  },
  plugins: [programs, styles],
};

/**
 * Of what is minified already. Reading a property may be why a statement is there, since signals are read so.
 *
 * @type {import("terser").MinifyOptions}
 */
export const smallest = {
  module: true,
  ecma: 2020,
  compress: { pure_getters: false, passes: 2 },
  // A letter of Korean is shorter than its escape, also when both are compressed.
  format: { ascii_only: false },
};

const DASH = "=".repeat(80);

/** Builds `entry` into `folder`, as small as it gets unless it is `quick`; returns the names of the bundled packages. */
export async function bundle(entry, folder, { quick = false } = {}) {
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: { dashboard: entry },
    outdir: folder,
    format: "esm",
    minify: true,
    legalComments: "external",
    metafile: true,
    write: false,
    logLevel: "warning",
  });
  const plain = async (name, format) => {
    const entryPoints = [fileURLToPath(new URL(`src/${name}.ts`, import.meta.url))];
    const built = await build({ ...common, entryPoints, format, minify: true, write: false });
    return built.outputFiles[0].text;
  };
  const [page, figure] = await Promise.all([plain("page", "iife"), plain("figure", "esm")]);
  const packages = await packagesOf(metafile);
  const minified = one(outputFiles, ".js");
  const script = quick ? minified : await smaller(minified);
  const module = compressedModule(script, await deflated(script, { quick }), notice(packages));
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeFile(join(folder, "dashboard.js"), module),
    writeFile(join(folder, "page.js"), page),
    writeFile(join(folder, "figure.js"), figure),
    writeFile(join(folder, "THIRD-PARTY-LICENSES.txt"), licenses(packages, outputFiles)),
  ]);
  return packages.map(({ name }) => name);
}

/** A minified module once more, with names that compress better: a twentieth less is sent. */
async function smaller(script) {
  const { code } = await minify(script, smallest);
  return code;
}

/**
 * A text as a zlib stream. Zopfli takes a second for what is 3 % smaller, and writes the same bytes with every version of
 * Node; more than 5 iterations gain 0.01 %.
 */
export async function deflated(text, { quick = false } = {}) {
  return quick ? deflateSync(text, { level: 9, memLevel: 9 }) : zlibAsync(Buffer.from(text), { numiterations: 5 });
}

/**
 * A widget sends and keeps a text of its own, which anywidget imports from an address of its own: compressed, the text is
 * less than half as long. What it holds is evaluated once a page, all widgets share it; other contents have another key.
 * The module is imported from a Blob, as anywidget imports the text itself: what permits the one permits the other.
 */
function compressedModule(script, packed, comment) {
  const key = `tbwidget:${createHash("sha256").update(script).digest("hex").slice(0, 16)}`;
  return `${comment}
const data = "${encode(packed)}";
${transformSync(decode.toString(), { minify: true }).code.trim()}
async function load() {
  const stream = new Blob([decode(data, ${packed.length})]).stream().pipeThrough(new DecompressionStream("deflate"));
  const text = await new Response(stream).text();
  // One character beyond Latin-1 would make the engine hold the whole text in two bytes a character.
  const ascii = text.replace(/[^\\0-\\x7f]/g, (one) => "\\\\u" + one.charCodeAt().toString(16).padStart(4, "0"));
  const script = new Blob([ascii], { type: "text/javascript" });
  const address = URL.createObjectURL(script);
  try {
    return (await import(address)).default;
  } finally {
    URL.revokeObjectURL(address);
  }
}
export default await (globalThis[Symbol.for("${key}")] ??= load());
`;
}

/** The packages whose files are in the bundle, by name, with their license texts. */
async function packagesOf({ outputs }) {
  const found = new Set();
  for (const { inputs } of [...Object.values(outputs), { inputs: programInputs }]) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = bytesInOutput > 0 ? /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] : undefined;
      if (folder !== undefined) {
        found.add(folder);
      }
    }
  }
  const packages = await Promise.all([...found].map(described));
  return packages.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function described(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)\b/i.test(file)).sort();
  if (files.length === 0) {
    throw new Error(`${name} is bundled, but holds no license text`);
  }
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  return { name, version, license, text: texts.map((text) => text.trim()).join("\n\n") };
}

/** What stands in the bundle itself, which exported pages hold without the file of licenses. */
function notice(packages) {
  const lines = packages.map(({ name, version, license, text }) => {
    const holders = /^.*Copyright \(c\).*$/im.exec(text)?.[0].trim().replaceAll("*/", "");
    return ` * ${name} ${version} (${[license, holders].filter(Boolean).join(", ")})`;
  });
  const begin = "/*! tbwidget holds these packages; THIRD-PARTY-LICENSES.txt beside it in tbwidget has their licenses.";
  return [begin, ...lines, " */"].join("\n");
}

function licenses(packages, outputFiles) {
  const sections = packages.map(({ name, version, license, text }) => [`${name} ${version} (${license})`, text]);
  const comments = [...outputFiles.filter(isOnLicenses).map(({ text }) => text.trim()), ...programComments];
  if (comments.join("") !== "") {
    sections.push(["Comments on licenses in the files that were bundled", comments.join("\n\n")]);
  }
  const begin = "dashboard.js holds code of the packages below, each under its own license.";
  return `${[begin, ...sections.map(([title, text]) => `${DASH}\n${title}\n${DASH}\n\n${text}`)].join("\n\n")}\n`;
}

function isOnLicenses({ path }) {
  return path.endsWith(".LEGAL.txt");
}

function one(outputFiles, suffix) {
  const file = outputFiles.find(({ path }) => path.endsWith(suffix));
  if (file === undefined) {
    throw new Error(`the bundle has no ${suffix} file`);
  }
  return file.text;
}
