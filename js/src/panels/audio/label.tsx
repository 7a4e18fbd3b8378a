// What was written beside a clip: Markdown, as TensorBoard has it.

import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { markdownNodes, useMarkdown } from "../../ui/markdown/nodes";

export function Label({ text }: { readonly text: string }) {
  const host = useRef<HTMLDivElement>(null);
  const rendered = useMarkdown(useMemo(() => [text], [text]));
  useLayoutEffect(() => {
    host.current?.replaceChildren(...((rendered && markdownNodes(rendered)) ?? [text]));
  }, [text, rendered]);
  return <div ref={host} class="tbwidget-clip-label" />;
}
