// What is shown beside the pointer: above all cards, and nowhere outside the dashboard.

import { useLayoutEffect, useRef } from "preact/hooks";
import { useView } from "./view";

/** Pixels between the pointer and the note. */
const GAP = 14;

export function PointerNote() {
  const note = useView().note.value;
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const own = element.current;
    const around = own?.offsetParent?.getBoundingClientRect();
    if (note === null || own === null || around === undefined) {
      return;
    }
    const { offsetWidth: width, offsetHeight: height } = own;
    const pointer = { left: note.left - around.left, top: note.top - around.top };
    const fitsRight = pointer.left + GAP + width <= around.width - 4;
    const left = fitsRight ? pointer.left + GAP : Math.max(4, pointer.left - GAP - width);
    const top = Math.max(4, Math.min(pointer.top + GAP, around.height - height - 6));
    own.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  });
  return (
    note && (
      <div ref={element} class="tbwidget-tooltip" role="tooltip">
        {note.content}
      </div>
    )
  );
}
