// Hands a file that was made here to the browser, which saves it.

/** Milliseconds after which the browser has surely begun to save. */
const PATIENCE = 60_000;

export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  // VS Code saves what a click asks for that reaches the body of its page, and nothing else.
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), PATIENCE);
}
