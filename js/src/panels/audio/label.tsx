// What was written beside a clip: Markdown, as TensorBoard has it.

import { useLayoutEffect, useRef } from "preact/hooks";
import { markdownNodes } from "../../ui/markdownnodes";

export function Label({ text }: { readonly text: string }) {
  const host = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    host.current?.replaceChildren(...(markdownNodes([text]) ?? [text]));
  }, [text]);
  return <div ref={host} class="tbwidget-clip-label" />;
}
