// Text within XML.

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Characters that XML forbids: controls, single surrogates and noncharacters. */
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Text for XML: characters that must not be in it at all are replaced. */
export function escaped(text: string): string {
  return text.replace(NOT_IN_XML, "\ufffd").replace(/[&<>"]/g, (one) => ENTITIES[one] as string);
}
