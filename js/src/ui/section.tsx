// A section of cards: its name, which folds it, and how it is renamed and moved.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { formatCount } from "../lib/format";
import { SECTION_KEYS } from "./gestures";
import { useRoving } from "./roving";
import { cardTexts, uiTexts } from "./texts";

export interface SectionChanges {
  rename(name: string): void;
  /** By one place: −1 is up. */
  move(by: 1 | -1): void;
  /** Whether there is a section to move past. */
  canMove(by: 1 | -1): boolean;
}

interface Props {
  readonly name: string;
  readonly titled: boolean;
  readonly open: boolean;
  readonly count: number;
  /** Where it can be changed. */
  readonly changes?: SectionChanges | undefined;
  toggle(): void;
  /** The cards, while it is open. */
  readonly children: ComponentChildren;
}

export function Section({ name, titled, open, count, changes, toggle, children }: Props) {
  return (
    <section class="tbwidget-group" data-section={name} data-titled={titled ? "" : undefined}>
      {titled && <Heading name={name} open={open} count={count} changes={changes} toggle={toggle} />}
      {open && children}
    </section>
  );
}

const keys: Readonly<Record<string, 1 | -1 | null>> = { ...SECTION_KEYS.move, ...SECTION_KEYS.rename };

/** The line of a heading is one row of controls. */
const itself = (line: Element) => [line];

function Heading({ name, open, count, changes, toggle }: Omit<Props, "titled" | "children">) {
  const renaming = useSignal(false);
  const rename = (typed: string) => {
    if (renaming.peek()) {
      renaming.value = false;
      changes?.rename(typed.trim());
    }
  };
  const line = useRef<HTMLDivElement>(null);
  useRoving(line, itself);
  return (
    <div ref={line} class="tbwidget-section-head">
      <h3>
        {renaming.value ? (
          <input
            class="tbwidget-rename"
            aria-label={cardTexts().nameOf(name)}
            defaultValue={name}
            data-lm-suppress-shortcuts="true"
            ref={(element) => element?.focus()}
            onBlur={({ currentTarget }) => rename(currentTarget.value)}
            onKeyDown={(event) => {
              event.stopPropagation();
              if (event.key === "Enter") {
                // Else the button that has the focus then would take it as a click.
                event.preventDefault();
                rename(event.currentTarget.value);
              } else if (event.key === "Escape") {
                // Else it would leave the full window as well.
                event.preventDefault();
                renaming.value = false;
              }
            }}
          />
        ) : (
          <button
            type="button"
            class="tbwidget-section-fold"
            aria-expanded={open}
            data-action={open ? "section.fold" : "section.unfold"}
            aria-keyshortcuts={changes === undefined ? undefined : Object.keys(keys).join(" ")}
            data-lm-suppress-shortcuts="true"
            onClick={toggle}
            onKeyDown={(event) => {
              const by = keys[`${event.altKey ? "Alt+" : ""}${event.key}`];
              if (changes !== undefined && by !== undefined) {
                event.preventDefault();
                event.stopPropagation();
                if (by === null) {
                  renaming.value = true;
                } else {
                  changes.move(by);
                }
              }
            }}
          >
            <span class="tbwidget-group-name">{name}</span>
            <span class="tbwidget-quiet">{formatCount(count)}</span>
          </button>
        )}
      </h3>
      {changes !== undefined && !renaming.value && (
        <span class="tbwidget-section-buttons">
          <Change
            action="section.up"
            name={cardTexts().up}
            hint={cardTexts().upHint}
            path="M6 10V2.5M2.8 5.5 6 2.2l3.2 3.3"
            disabled={!changes.canMove(-1)}
            act={() => changes.move(-1)}
          />
          <Change
            action="section.down"
            name={cardTexts().down}
            hint={cardTexts().downHint}
            path="M6 2v7.5M2.8 6.5 6 9.8l3.2-3.3"
            disabled={!changes.canMove(1)}
            act={() => changes.move(1)}
          />
          <Change
            action="section.rename"
            name={cardTexts().rename}
            hint={cardTexts().renameHint}
            path="m2 10 .6-2.6L8.4 1.6l2 2-5.8 5.8z"
            act={() => {
              renaming.value = true;
            }}
          />
        </span>
      )}
    </div>
  );
}

interface ChangeProps {
  readonly action: string;
  readonly name: string;
  readonly hint: string;
  readonly path: string;
  readonly disabled?: boolean;
  act(): void;
}

function Change({ action, name, hint, path, disabled, act }: ChangeProps) {
  return (
    <button type="button" title={hint} aria-label={name} data-action={action} disabled={disabled} onClick={act}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
}

interface MoreProps {
  /** Cards that are not shown. */
  readonly left: number;
  /** Cards that are shown in addition at each press. */
  readonly step: number;
  more(): void;
}

/** Shows more cards of a section that has more than it shows. */
export function MoreCards({ left, step, more }: MoreProps) {
  return (
    left > 0 && (
      <button type="button" class="tbwidget-link" data-action="section.more" onClick={more}>
        {uiTexts().showMore(formatCount(Math.min(left, step)))}
      </button>
    )
  );
}
