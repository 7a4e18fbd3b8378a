// The palette: one box that searches tags, runs, panels and actions. All of it works without the kernel.

import { useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { formatCount } from "../../lib/format";
import { MAX_QUERY_CHARACTERS, WordQuery } from "../../lib/wordsearch";
import { Dialog } from "../../ui/dialog";
import { useView, type View } from "../../ui/view";
import { type Entry, entriesOfIds, search, sourcesOf } from "./entries";
import { capGroups } from "./keys";
import { shellOf } from "./shell";
import { commandTexts } from "./texts";
import "./commands.css";

/** Ids of the entries chosen since the page was opened, the latest first. */
let recent: readonly string[] = [];
const MAX_RECENT = 8;

/** Entries that the page keys move by. */
const PAGE = 10;

/** The names that lists begin with: the focused card and run, then the cards on the screen. */
function nearOf({ root, inSight }: View): ReadonlyMap<string, number> {
  const focused = root.querySelector(":focus");
  const dataOf = (selector: string) => focused?.closest<HTMLElement>(selector)?.dataset;
  const names = [dataOf(".tbwidget-card")?.tag, dataOf("[data-run]")?.run, ...inSight.peek()];
  return new Map([...new Set(names.filter((name) => name !== undefined))].map((name, i) => [name, i]));
}

export function Palette() {
  const view = useView();
  const { sheet, typed } = shellOf(view);
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const query = useSignal(typed.peek());
  const active = useSignal(0);
  // A choice must not move the entries below the pointer.
  const before = useMemo(() => recent, []);
  const near = useMemo(() => nearOf(view), [view]);
  const sources = useComputed(() => sourcesOf(view, near));
  const lately = useComputed(() => entriesOfIds(before, sources.value));
  const found = useComputed(() => search(query.value, view, sources.value, lately.value));
  const { entries, total } = found.value;
  const at = Math.max(0, Math.min(active.value, entries.length - 1));
  const current = entries[at];
  const words = useMemo(() => new WordQuery(query.value), [query.value]);
  const ids = `${view.id}-palette`;

  const run = current?.run ?? null;
  useEffect(() => {
    view.highlightedRun.value = run;
    return () => {
      view.highlightedRun.value = null;
    };
  }, [view, run]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry is at the place
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [at, current?.id]);
  // A press beside the dialog is one on the dialog itself, whose content fills it.
  useEffect(() => {
    const element = dialog.current;
    const press = (event: PointerEvent) => event.target === element && element?.close();
    element?.addEventListener("pointerdown", press);
    typed.value = "";
    return () => element?.removeEventListener("pointerdown", press);
  }, [typed]);

  const choose = (entry: Entry | undefined, other: boolean) => {
    if (entry === undefined || entry.barred !== undefined) {
      return;
    }
    recent = [entry.id, ...recent.filter((id) => id !== entry.id)].slice(0, MAX_RECENT);
    if (entry.next !== undefined) {
      [query.value, active.value] = [entry.next, 0];
      return;
    }
    if (entry.stays?.(other) !== true) {
      // First, so that the focus is back in the dashboard.
      dialog.current?.close();
      sheet.value = null;
    }
    entry.choose?.(other);
  };
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) {
      return;
    }
    const last = entries.length - 1;
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => {
        active.value = at === last ? 0 : at + 1;
      },
      ArrowUp: () => {
        active.value = at === 0 ? last : at - 1;
      },
      PageDown: () => {
        active.value = Math.min(last, at + PAGE);
      },
      PageUp: () => {
        active.value = Math.max(0, at - PAGE);
      },
      Enter: () => choose(current, event.shiftKey),
    };
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (act !== undefined) {
      event.preventDefault();
      act();
    }
  };
  return (
    <Dialog
      label={commandTexts().palette}
      class="tbwidget-sheet tbwidget-palette"
      element={dialog}
      focus={(element) => element.querySelector("input")?.focus()}
      closed={() => {
        // The event of a dialog that is gone may come when the next one is open.
        if (dialog.current !== null && sheet.peek() === "palette") {
          sheet.value = null;
        }
      }}
    >
      <div class="tbwidget-palette-content">
        <input
          type="text"
          role="combobox"
          aria-label={commandTexts().palette}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={ids}
          aria-activedescendant={current === undefined ? undefined : `${ids}-${at}`}
          placeholder={commandTexts().placeholder}
          maxLength={MAX_QUERY_CHARACTERS}
          autocomplete="off"
          spellcheck={false}
          value={query.value}
          onInput={({ currentTarget }) => {
            [query.value, active.value] = [currentTarget.value, 0];
          }}
          onKeyDown={press}
        />
        <div ref={list} id={ids} role="listbox" aria-label={commandTexts().results}>
          {entries.map((entry, i) => (
            <Row
              key={entry.id}
              {...{
                entry,
                words,
                id: `${ids}-${i}`,
                isActive: i === at,
                isRecent: i < lately.value.length && lately.value.includes(entry),
              }}
              point={() => {
                active.value = i;
              }}
              choose={(other) => choose(entry, other)}
            />
          ))}
        </div>
        <footer>
          {current !== undefined && <Feet entry={current} />}
          <span role="status">
            {current?.isOfList && total > entries.length && `${commandTexts().typeName} · `}
            {total === 0
              ? commandTexts().nothing
              : total > entries.length
                ? commandTexts().count(formatCount(entries.length), formatCount(total))
                : formatCount(total)}
          </span>
        </footer>
      </div>
    </Dialog>
  );
}

interface RowProps {
  readonly id: string;
  readonly entry: Entry;
  readonly words: WordQuery;
  readonly isActive: boolean;
  readonly isRecent: boolean;
  point(): void;
  choose(other: boolean): void;
}

function Row({ id, entry, words, isActive, isRecent, point, choose }: RowProps) {
  const { options, theme } = useView();
  const { kind, text, detail, barred, run } = entry;
  const isOn = entry.isOn?.();
  const states =
    run === undefined ? [commandTexts().on, commandTexts().off] : [commandTexts().shown, commandTexts().hidden];
  const state =
    isOn === undefined ? (entry.isChosen?.() === true ? commandTexts().chosen : null) : states[isOn ? 0 : 1];
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the box has the focus, and names its active option.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the box takes the keys.
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      aria-checked={isOn}
      aria-disabled={barred !== undefined}
      aria-label={text}
      aria-describedby={`${id}-detail ${id}-state ${id}-kind`}
      data-kind={kind}
      title={barred ?? text}
      onPointerMove={point}
      onPointerDown={(event) => event.preventDefault()}
      onClick={(event) => choose(event.shiftKey)}
    >
      {run !== undefined && (
        <i class="tbwidget-swatch" style={{ "--tbwidget-run": options.colorOf.value(run, theme.value) }} />
      )}
      <bdi>{marked(text, words)}</bdi>
      {(barred ?? detail) !== undefined && (
        <span id={`${id}-detail`} class="tbwidget-quiet tbwidget-palette-detail">
          <bdi>{barred ?? detail}</bdi>
        </span>
      )}
      <span id={`${id}-state`} class="tbwidget-palette-state" data-on={isOn === true ? "" : undefined}>
        {state}
      </span>
      <span id={`${id}-kind`} class="tbwidget-quiet tbwidget-palette-kind">
        {isRecent ? commandTexts().recent : commandTexts().kinds[kind]}
      </span>
    </div>
  );
}

const isShownRun = ({ run, isOn }: Entry) => run !== undefined && isOn !== undefined;

/** The effect of Enter on an entry: a key of the texts. */
export function effectOf(entry: Entry): "only" | "off" | "on" | "go" | "type" | "choose" | "run" {
  return isShownRun(entry)
    ? "only"
    : entry.isOn !== undefined
      ? entry.isOn()
        ? "off"
        : "on"
      : entry.kind === "panel" || entry.kind === "tag"
        ? "go"
        : entry.next !== undefined
          ? "type"
          : entry.isChosen !== undefined
            ? "choose"
            : "run";
}

/** The effects of keys on an entry. */
function Feet({ entry }: { readonly entry: Entry }) {
  const feet = commandTexts().feet;
  return (
    <span class="tbwidget-palette-feet">
      <span>
        <Caps keys={["ArrowUp", "ArrowDown"]} /> {feet.move}
      </span>
      <span>
        <Caps keys={["Enter"]} /> {feet[effectOf(entry)]}
      </span>
      {isShownRun(entry) && (
        <span>
          <Caps keys={["Shift+Enter"]} /> {feet.toggleRun}
        </span>
      )}
      <span>
        <Caps keys={["Escape"]} /> {feet.close}
      </span>
    </span>
  );
}

/** Keys as their caps. */
export function Caps({ keys }: { readonly keys: readonly string[] }) {
  return (
    <>
      {capGroups(keys).map((caps) => (
        <span key={caps.join()} class="tbwidget-caps">
          {caps.map((cap) => (
            <kbd key={cap}>{cap}</kbd>
          ))}
        </span>
      ))}
    </>
  );
}

/** A text, with what the query found of it marked. */
function marked(text: string, words: WordQuery): ComponentChildren {
  const parts = words.parts(text);
  let end = 0;
  const children: ComponentChildren[] = [];
  for (const [from, to] of parts) {
    children.push(text.slice(end, from), <mark key={from}>{text.slice(from, to)}</mark>);
    end = to;
  }
  return [...children, text.slice(end)];
}
