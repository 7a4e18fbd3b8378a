// Hands made files to the browser, one as it is, several in a zip; and copies text to the clipboard.

import { downloadZip } from "client-zip";
import { distinct } from "../lib/filenames";

/** Milliseconds after which the browser has surely begun to save. */
const URL_LIFETIME_MS = 60_000;

export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  // VS Code saves what a click asks for that reaches the body of its page, and nothing else.
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS);
}

interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Seconds since the epoch. */
  readonly wall: number;
}

/** `zipName`: without its extension; null where there is one file, which is saved as it is. */
export async function saveFiles(files: readonly NamedFile[], zipName: string | null): Promise<void> {
  const [first] = files;
  if (first === undefined) {
    return;
  }
  if (zipName === null) {
    // Browsers save this type, whatever the bytes are, and never show it.
    saveFile(new Blob([first.bytes], { type: "application/octet-stream" }), first.name);
    return;
  }
  const names = distinct(files.map(({ name }) => name));
  const entries = files.map(({ bytes, wall }, i) => ({ name: names[i], input: bytes, lastModified: dateOf(wall) }));
  saveFile(await downloadZip(entries).blob(), `${zipName}.zip`);
}

/** A zip knows days from 1980 to 2107. */
function dateOf(wall: number): Date {
  const date = new Date(1000 * wall);
  const year = date.getFullYear();
  return year >= 1980 && year <= 2107 ? date : new Date(1980, 0, 1);
}

/** Resolves to whether it was copied. */
export async function copyText(text: string, beside: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text, beside);
  }
}

function copySelected(text: string, beside: Element): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.style.cssText = "position: absolute; width: 1px; height: 1px; opacity: 0;";
  beside.append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
  }
}
