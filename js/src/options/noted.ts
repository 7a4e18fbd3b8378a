// Notes that this browser keeps for all dashboards: a first time is over. Where there is no storage, until the page
// is left.

/** Apart from the settings of boards, which make room for each other. */
const KEY = "tbwidget-noted";

const here = new Set<string>();

function stored(): string[] {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(names) ? names.map(String) : [];
  } catch {
    return [];
  }
}

export function isNoted(name: string): boolean {
  return here.has(name) || stored().includes(name);
}

export function note(name: string): void {
  here.add(name);
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set([...stored(), name])]));
  } catch {
    // It holds for this page.
  }
}
