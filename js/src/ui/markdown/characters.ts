// Characters that are named in Markdown, as `&copy;`. The bundle has this in place of micromark's own list, which is as large
// as its parser: a page knows the names, and tells its worker what those in a text stand for.

let known: Readonly<Record<string, string>> = {};

/** From now on, these names are known. */
export function setCharacters(characters: Readonly<Record<string, string>>): void {
  known = characters;
}

/** The character of a name; false where there is none. */
export function decodeNamedCharacterReference(name: string): string | false {
  return Object.hasOwn(known, name) ? (known[name] as string) : false;
}

/** The characters that named references in the texts stand for. */
export function charactersIn(texts: readonly string[]): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  const element = typeof document === "undefined" ? null : document.createElement("i");
  for (const text of texts) {
    for (const [reference, name = ""] of text.matchAll(/&([a-z][a-z\d]{1,30});/giu)) {
      if (element !== null && !(name in found)) {
        element.innerHTML = reference;
        const character = element.textContent ?? "";
        // A name that browsers read as a shorter one, which needs no semicolon, is no reference.
        if (character !== reference && (name === "semi" || !character.endsWith(";"))) {
          found[name] = character;
        }
      }
    }
  }
  return found;
}
