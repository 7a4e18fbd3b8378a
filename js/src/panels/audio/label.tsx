// What was written beside a clip: Markdown, as TensorBoard has it.

import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useMarkdown } from "../../ui/markdown/nodes";

export function Label({ text }: { readonly text: string }) {
  const host = useRef<HTMLDivElement>(null);
  const nodes = useMarkdown(useMemo(() => [text], [text]));
  useLayoutEffect(() => {
    host.current?.replaceChildren(...(nodes ?? [text]));
  }, [text, nodes]);
  return <div ref={host} class="tbwidget-clip-label" />;
}
