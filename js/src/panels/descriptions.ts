// The display names and descriptions of tags. Twin of tbwidget/panels/descriptions.py.

import type { DocumentCodec } from "../wire/codec";
import { list, row } from "../wire/columns";
import type { TagText, TagTexts } from "../wire/tagtexts";

export const descriptions: DocumentCodec<TagTexts> = {
  kind: "descriptions",
  sort: "document",
  decode: (bytes) => decodeTexts(JSON.parse(new TextDecoder().decode(bytes))),
  isOfDirectory: true,
  tagTextsOf: (texts) => texts,
};

function decodeTexts(document: unknown): TagTexts {
  return new Map(
    Object.entries(row(document)).map(([kind, tags]) => [
      kind,
      new Map(Object.entries(row(tags)).map(([tag, texts]) => [tag, list(texts).map(decodeText)])),
    ]),
  );
}

function decodeText(text: unknown): TagText {
  const [name, description, isCut, runs, others] = list(text);
  return {
    name: String(name),
    description: String(description),
    isCut: isCut === true,
    runs: list(runs).map(String),
    others: Number(others),
  };
}
