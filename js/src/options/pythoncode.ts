// The line of Python that shows the same view again: its logs, and the options that are not the usual ones.

import { pythonValue } from "../lib/pythonliteral";
import type { Directory } from "../wire/protocol";

/** Lines of code are broken beyond this. */
const MAX_LINE_CHARACTERS = 100;

/** `callee`: "show", or the class of a view. The only directory may be named "". */
export function pythonCode(
  callee: string,
  directories: readonly Directory[],
  options: ReadonlyMap<string, unknown>,
): string {
  const given = [...options].map(([option, value]) => `${option}=${pythonValue(value)}`);
  const [[name, path] = ["", ""]] = directories;
  const all = [pythonValue(name === "" ? path : new Map(directories)), ...given];
  const line = `tbwidget.${callee}(${all.join(", ")})`;
  const call =
    line.length <= MAX_LINE_CHARACTERS || given.length === 0
      ? line
      : `tbwidget.${callee}(\n${all.map((one) => `    ${one},\n`).join("")})`;
  return `import tbwidget\n\n${call}\n`;
}
