// A dialog over the whole window, in the top layer of the page: above everything in the notebook, wherever the cell is. The
// browser keeps the focus in it, closes it at Escape, and returns the focus to where it was.

import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Message } from "./message";
import { uiTexts } from "./texts";
import { Tooltip } from "./tooltip";
import "./dialog.css";

interface Props {
  readonly label: string;
  readonly class: string;
  /** Whether it is over the whole window; else it is the same element at its place on the page. */
  readonly modal?: boolean;
  /** For those who close or focus it. */
  readonly element?: RefObject<HTMLDialogElement | null>;
  /** Moves the focus when `modal` has changed; the browser focuses the first control otherwise. */
  focus?(dialog: HTMLDialogElement): void;
  /** Called when it was closed, by Escape or by `element.close()`. */
  closed(): void;
  /** Called by Escape; returns true if it did something else than to close the dialog. */
  cancel?(): boolean;
  onKeyDown?(event: KeyboardEvent): void;
  readonly children: ComponentChildren;
}

export function Dialog({ label, modal = true, element, focus, closed, cancel, onKeyDown, children, ...props }: Props) {
  const own = useRef<HTMLDialogElement>(null);
  const dialog = element ?? own;
  const wasModal = useRef(false);
  const focusOf = useRef(focus);
  focusOf.current = focus;
  useLayoutEffect(() => {
    const { current } = dialog;
    if (current === null || modal === wasModal.current) {
      return;
    }
    wasModal.current = modal;
    // One inside it would stay above all, without a way to close it.
    for (const inner of current.querySelectorAll<HTMLDialogElement>("dialog:modal")) {
      inner.close();
    }
    // An open dialog cannot be opened again in another mode.
    current.close();
    if (modal) {
      current.showModal();
    } else {
      // Unlike `show`, this leaves the focus where it is.
      current.open = true;
    }
    focusOf.current?.(current);
  }, [modal, dialog]);
  // An element that is removed while it is open would not return the focus.
  useLayoutEffect(() => {
    const { current } = dialog;
    return () => current?.close();
  }, [dialog]);
  return (
    <dialog
      ref={dialog}
      open={!modal}
      class={`tbwidget-dialog ${props.class}`}
      aria-label={label}
      // At its place on the page it is no dialog.
      {...((modal ? { tabIndex: -1 } : { role: "group" }) as object)}
      // JupyterLab would take the keys for its own.
      data-lm-suppress-shortcuts={modal || onKeyDown !== undefined ? "true" : undefined}
      onClose={({ currentTarget }) => {
        // The event comes later: by then it may be open again, in another way.
        if (!currentTarget.open) {
          closed();
        }
      }}
      onCancel={(event) => {
        if (cancel?.() === true) {
          event.preventDefault();
        }
      }}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (modal) {
          event.stopPropagation();
        }
      }}
    >
      {children}
      {modal && <Tooltip />}
      {modal && <Message />}
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
