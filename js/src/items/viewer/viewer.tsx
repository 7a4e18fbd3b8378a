// The full-window viewer: one item of a tag as large as there is room, its steps, and other runs or another item to compare.

import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { Dialog } from "../../ui/dialog";
import type { SampledRow } from "../shown";
import { type BarProps, ViewerBar } from "./bar";
import { stepActionOf } from "./state";
import "./viewer.css";

interface Props<R extends SampledRow, V> extends BarProps<R, V> {
  /** For assistive technology. */
  readonly label: string;
  /** Keys that are not about steps and runs; returns true if it did something. */
  keyed?(event: KeyboardEvent): boolean;
  /** Stages, and controls below them. Elements in `.tbwidget-strip` keep no focus: they may leave the page. */
  readonly children: ComponentChildren;
}

export function ItemViewer<R extends SampledRow, V>({ label, keyed, children, ...bar }: Props<R, V>) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isIn = (target: EventTarget | null, selector: string) =>
    target instanceof Element && target.closest(selector) !== null;
  return (
    <Dialog
      label={label}
      class="tbwidget-viewer"
      element={dialog}
      // The first control would take the keys.
      focus={(element) => element.focus()}
      closed={bar.close}
      onKeyDown={(event) => {
        if (isIn(event.target, "input, select")) {
          return;
        }
        const action = stepActionOf(event);
        if (action !== undefined) {
          bar.viewing.act(action);
        } else if (keyed?.(event) !== true) {
          return;
        }
        event.preventDefault();
        if (isIn(event.target, ".tbwidget-strip")) {
          dialog.current?.focus();
        }
      }}
    >
      <ViewerBar {...bar} close={() => dialog.current?.close()} />
      {children}
    </Dialog>
  );
}
