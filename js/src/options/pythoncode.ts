// The line of Python that shows the same view again: its logs, and the options that are not the usual ones.

import { pythonLiteral, pythonValue } from "../lib/pythonliteral";

/** Lines of code are broken beyond this. */
const MAX_LINE_CHARACTERS = 100;

/** The path of one directory, or the paths of several by the names that begin those of their runs. */
export type LogPaths = string | ReadonlyMap<string, string>;

/** `callee`: "show", or the class of a view. */
export function pythonCode(callee: string, logs: LogPaths, options: ReadonlyMap<string, unknown>): string {
  const given = [...options].map(([name, value]) => `${name}=${pythonValue(value)}`);
  const all = [typeof logs === "string" ? pythonLiteral(logs) : pythonValue(logs), ...given];
  const line = `tbwidget.${callee}(${all.join(", ")})`;
  const call =
    line.length <= MAX_LINE_CHARACTERS || given.length === 0
      ? line
      : `tbwidget.${callee}(\n${all.map((one) => `    ${one},\n`).join("")})`;
  return `import tbwidget\n\n${call}\n`;
}

/** A path that means the same from wherever it is used. */
const ABSOLUTE = /^(?:\/|\\\\|[a-z]:[\\/]|[a-z][a-z\d+.-]*:\/\/)/i;

/** "/parent/{a, name: b}". */
const SEVERAL = /^([^{]*)\{(.*)\}$/s;

/**
 * The paths that the kernel calls the logs by; null where they have none, as a graph that was given as an object, and where
 * the title cannot be told apart. `title` is the only path, or lists several below the directory that they share; `isSaved`:
 * the page does not tell where they were; `known`: directories that the kernel has named, where it has.
 */
export function pathsIn(
  title: string,
  runs: readonly string[],
  isSaved: boolean,
  known: ReadonlySet<string>,
): LogPaths | null {
  const isKnown = (path: string) => known.size === 0 || known.has(path) || known.has(path.replace(/[\\/]$/, ""));
  const isPath = (path: string) => (isSaved ? path !== "" : ABSOLUTE.test(path));
  const [, parent = "", listed = ""] = SEVERAL.exec(title) ?? [];
  if (listed === "") {
    return isPath(title) ? title : null;
  }
  const several = new Map<string, string>();
  for (const one of listed.split(", ")) {
    const [name, path] = one.includes(": ")
      ? [one.slice(0, one.indexOf(": ")), one.slice(one.indexOf(": ") + 2)]
      : [one, one];
    several.set(name, path === "." ? parent : ABSOLUTE.test(path) ? path : parent + path);
  }
  // Names may hold what separates them, and one directory may be called like a list of others.
  const isOf = (run: string) => [...several.keys()].some((name) => run === name || run.startsWith(`${name}/`));
  const paths = [...several.values()];
  return runs.length > 0 && runs.every(isOf) && paths.every(isPath) && paths.every(isKnown) ? several : null;
}
