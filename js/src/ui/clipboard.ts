// Copies text, also from pages that came by http, where browsers have no clipboard to write to.

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
