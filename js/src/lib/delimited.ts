// Tables as text: columns separated by a character, as spreadsheets read them (RFC 4180).

export type Separator = "," | "\t";

export type Cell = string | number | bigint;

/** The first character of a formula in a spreadsheet, full-width signs included. */
const FORMULA_START = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A text that a spreadsheet would take for a formula begins with an apostrophe; numbers stay as they are. */
function safe(cell: Cell): string {
  const text = String(cell);
  return typeof cell === "string" && FORMULA_START.test(text) ? `'${text}` : text;
}

/** A cell; with the separator, a quotation mark or a line break in it, it is quoted. */
export function delimitedCell(cell: Cell, separator: Separator): string {
  const text = safe(cell);
  return /["\r\n]/.test(text) || text.includes(separator) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function delimited(rows: readonly (readonly Cell[])[], separator: Separator): string {
  return rows.map((row) => `${row.map((cell) => delimitedCell(cell, separator)).join(separator)}\r\n`).join("");
}
