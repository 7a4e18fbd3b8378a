// The layouts of custom scalars. Twin of tbwidget/panels/custom_scalars.py.

import type { DocumentCodec } from "../../wire/codec";
import { list, row } from "../../wire/columns";
import type { Category, Chart, Layout } from "./layouts";

/** One a run; the document has no tag. */
export const customScalarsCodec: DocumentCodec<Layout> = {
  kind: "custom_scalars",
  sort: "document",
  decode: (bytes) => list(row(JSON.parse(new TextDecoder().decode(bytes))).categories).map(categoryOf),
};

function categoryOf(value: unknown): Category {
  const { title, closed, charts } = row(value);
  return { title: String(title), closed: closed === true, charts: list(charts).map(chartOf) };
}

function chartOf(value: unknown): Chart {
  const { title, tags, series } = row(value);
  return {
    title: String(title),
    tags: list(tags).map(String),
    series: list(series).map((one) => {
      const [middle, lower, upper] = list(one).map(String);
      return { value: middle ?? "", lower: lower ?? "", upper: upper ?? "" };
    }),
  };
}
