// A dialog over the whole window, in the top layer of the page: above everything in the notebook, wherever the cell is. The
// browser keeps the focus in it, closes it at Escape, and returns the focus to where it was.

import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { watchQuestions } from "./layers";
import { Message } from "./message";
import { uiTexts } from "./texts";
import { Tooltip } from "./tooltip";
import "./dialog.css";

interface Props {
  readonly label: string;
  readonly class: string;
  /** For those who close or focus it. */
  readonly element?: RefObject<HTMLDialogElement | null>;
  /** Moves the focus when it opens; the browser focuses the first control otherwise. */
  focus?(dialog: HTMLDialogElement): void;
  /** Called when it was closed, by Escape or by `element.close()`. */
  closed(): void;
  onKeyDown?(event: KeyboardEvent): void;
  readonly children: ComponentChildren;
}

export function Dialog({ label, element, focus, closed, onKeyDown, children, ...props }: Props) {
  const own = useRef<HTMLDialogElement>(null);
  const dialog = element ?? own;
  const focusOf = useRef(focus);
  focusOf.current = focus;
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    if (current !== null) {
      focusOf.current?.(current);
    }
    const end = watchQuestions(document, () => current?.close());
    return () => {
      end();
      // An element that is removed while it is open would not return the focus.
      current?.close();
    };
  }, [dialog]);
  return (
    <dialog
      ref={dialog}
      class={`tbwidget-dialog ${props.class}`}
      aria-label={label}
      tabIndex={-1}
      // JupyterLab would take the keys for its own.
      data-lm-suppress-shortcuts="true"
      onClose={closed}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        event.stopPropagation();
      }}
    >
      {children}
      <Tooltip />
      <Message />
    </dialog>
  );
}

export function CloseButton({ close }: { close(): void }) {
  return (
    <button type="button" class="tbwidget-close" title={uiTexts().close} onClick={close}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d="M2 2l8 8M10 2l-8 8" />
      </svg>
    </button>
  );
}
