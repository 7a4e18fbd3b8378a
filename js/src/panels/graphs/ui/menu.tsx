// The menu of a box: beside the pointer, or below the button that opened it.

import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { place, pointBox } from "../../../lib/place";
import { copyText } from "../../../ui/savefile";
import { writtenName } from "../about";
import { boxAt } from "../places";
import type { GraphState } from "../state";
import { graphTexts } from "../texts";
import { menuOf } from "./actions";

/** Where a menu is open, in CSS pixels of the stage, and on which box. */
export interface MenuAt {
  readonly path: string;
  readonly left: number;
  readonly top: number;
}

interface Props {
  readonly state: GraphState;
  readonly at: MenuAt;
  close(): void;
}

/** CSS pixels to the edge of the stage. */
const MARGIN_PX = 4;

export function Menu({ state, at, close }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const laidOut = state.laidOut.value;
  const box = laidOut === null ? -1 : boxAt(laidOut.view, at.path);
  useLayoutEffect(() => {
    const own = list.current;
    const stage = own?.offsetParent;
    if (own && stage) {
      const { left, top } = place({
        anchor: pointBox(at.left, at.top),
        size: { width: own.offsetWidth, height: own.offsetHeight },
        boundary: { left: 0, top: 0, right: stage.clientWidth, bottom: stage.clientHeight },
        ...{ side: "below", gap: 0, margin: MARGIN_PX },
      });
      Object.assign(own.style, { left: `${left}px`, top: `${top}px` });
    }
    own?.querySelector("button")?.focus({ preventScroll: true });
  }, [at]);
  useEffect(() => {
    const outside = ({ target }: Event) => {
      if (target instanceof Node && !list.current?.contains(target)) {
        close();
      }
    };
    document.addEventListener("pointerdown", outside, true);
    return () => document.removeEventListener("pointerdown", outside, true);
  }, [close]);
  if (laidOut === null || box < 0) {
    return null;
  }
  const actions = menuOf(state, laidOut, box);
  const leave = () => {
    close();
    state.canvas.peek()?.focus(at.path);
  };
  return (
    <div
      ref={list}
      class="tbwidget-menu"
      role="menu"
      aria-label={graphTexts().menu}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        const items = [...event.currentTarget.querySelectorAll("button")];
        const place = items.indexOf(event.target as HTMLButtonElement);
        const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: -1 }[event.key];
        event.stopPropagation();
        if (next !== undefined) {
          event.preventDefault();
          items.at(next % items.length)?.focus();
        } else if (event.key === "Escape" || event.key === "Tab") {
          event.preventDefault();
          leave();
        }
      }}
    >
      {actions.map(({ name, hint, do: act }) => (
        <button
          key={name}
          type="button"
          role="menuitem"
          title={hint}
          onClick={() => {
            leave();
            act();
          }}
        >
          {name}
        </button>
      ))}
      <button
        type="button"
        role="menuitem"
        onClick={({ currentTarget }) => {
          copyText(writtenName(at.path), currentTarget.closest("article") ?? currentTarget).then(leave);
        }}
      >
        {graphTexts().copyName}
      </button>
    </div>
  );
}
