// A part of the page that goes over the whole window and back. It stays the same element: canvases and scroll positions remain.
// A <dialog> would be a dialog at its place as well, so this is a popover that does what a modal dialog does: Escape leaves it,
// and the focus stays inside.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { closeLayers, isQuestion, LAYER, watchQuestions } from "./layers";
import { Message } from "./message";
import { Tooltip } from "./tooltip";
import "./expandable.css";

interface Props {
  readonly label: string;
  readonly class: string;
  /** Whether it is over the whole window. */
  readonly expanded: boolean;
  /** Move the focus when `expanded` has changed. Else it goes to the first control, and back to where it was. */
  focus?(element: HTMLElement): void;
  /** Set `expanded` to false. */
  leave(): void;
  onKeyDown?(event: KeyboardEvent): void;
  readonly children: ComponentChildren;
}

const CONTROLS = ":is(button, input, select, textarea, summary):enabled, a[href], [tabindex]";

export function Expandable({ label, expanded, focus, leave, onKeyDown, children, ...props }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const latest = useRef({ focus, leave });
  latest.current = { focus, leave };
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null || !expanded) {
      return;
    }
    const before = activeElement(current);
    // One inside it would stay above all, without a way to close it.
    closeLayers(current);
    // Old browsers have no popovers: there it is fixed all the same.
    current.showPopover?.();
    (latest.current.focus ?? focusFirst)(current);
    const leave = () => latest.current.leave();
    const ends = [keepFocus(current, leave), watchQuestions(current.ownerDocument, leave)];
    return () => {
      for (const end of ends) {
        end();
      }
      if (latest.current.focus) {
        latest.current.focus(current);
      } else {
        before?.focus();
      }
    };
  }, [expanded]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it has a role, here or there.
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: likewise.
    <div
      ref={element}
      class={`tbwidget-expandable ${props.class}`}
      role={expanded ? "dialog" : "group"}
      aria-label={label}
      aria-modal={expanded ? "true" : undefined}
      popover={expanded ? "manual" : undefined}
      tabIndex={expanded ? -1 : undefined}
      // JupyterLab would take the keys for its own.
      data-lm-suppress-shortcuts={expanded || onKeyDown !== undefined ? "true" : undefined}
      {...{ onClose: leave }}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (expanded) {
          answerKey(event, event.currentTarget, leave);
          event.stopPropagation();
        }
      }}
    >
      {children}
      {expanded && <Tooltip />}
      {expanded && <Message />}
    </div>
  );
}

function activeElement(element: HTMLElement): HTMLElement | null {
  return (element.getRootNode() as Document | ShadowRoot).activeElement as HTMLElement | null;
}

function stopsOf(element: HTMLElement): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (control) => control.tabIndex >= 0 && control.checkVisibility?.() !== false,
  );
}

function focusFirst(element: HTMLElement): void {
  (stopsOf(element)[0] ?? element).focus();
}

/** Escape leaves the element, and the Tab key goes round in it, unless something inside has answered the key. */
function answerKey(event: KeyboardEvent, element: HTMLElement, leave: () => void): void {
  if (event.defaultPrevented || event.isComposing) {
    return;
  }
  if (event.key === "Escape") {
    leave();
  } else if (event.key === "Tab") {
    const stops = stopsOf(element);
    const [from, to] = event.shiftKey ? [stops[0], stops.at(-1)] : [stops.at(-1), stops[0]];
    const [target] = event.composedPath();
    if (target !== from && element.contains(target as Node) && !(event.shiftKey && target === element)) {
      return;
    }
    to?.focus();
  } else {
    return;
  }
  event.preventDefault();
}

/** Return the focus to the element that covers the window, and hear keys while nothing has the focus; returns what ends that. */
function keepFocus(element: HTMLElement, leave: () => void): () => void {
  const { ownerDocument } = element;
  const end = new AbortController();
  const isTop = () => [...(element.closest(".tbwidget")?.querySelectorAll(LAYER) ?? [])].at(-1) === element;
  ownerDocument.addEventListener(
    "focusin",
    (event) => {
      if (event.composedPath().includes(element) || !isTop()) {
        return;
      }
      if (isQuestion(event.target as Element)) {
        leave();
      } else {
        element.focus({ preventScroll: true });
      }
    },
    end,
  );
  ownerDocument.addEventListener(
    "keydown",
    (event) => {
      if (event.target === ownerDocument.body && isTop()) {
        answerKey(event, element, leave);
      }
    },
    end,
  );
  return () => end.abort();
}
