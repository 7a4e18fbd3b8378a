// The full-window viewer: one item of a tag as large as there is room, its steps, and other runs or another item to compare.

import type { ComponentChildren } from "preact";
import { useMemo, useRef } from "preact/hooks";
import { lineTexts } from "../../lines/texts";
import { Segments } from "../../ui/controls";
import { CloseButton, Dialog } from "../../ui/dialog";
import { useView } from "../../ui/view";
import { SaveItems } from "../save";
import type { SampledRow } from "../shown";
import type { Place } from "./place";
import { type ItemSide, placeIn, placeUnder, runsWith } from "./side";
import { type Mode, stepActionOf } from "./state";
import { viewerTexts } from "./texts";
import type { Viewing } from "./viewing";
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

// The line above the stage: which items are shown and how they are compared; saves and closes.

interface BarProps<R extends SampledRow, V> {
  readonly viewing: Viewing<R, V>;
  /** The ways to compare that there are. */
  readonly modes: readonly Mode[];
  readonly saveHint: string;
  /** Controls of the panel. */
  readonly controls: ComponentChildren;
  close(): void;
}

function ViewerBar<R extends SampledRow, V>(props: BarProps<R, V>) {
  const { viewing, modes, saveHint, controls, close } = props;
  const { kind, a, b, first, second, state, mode, active, setMode, act } = viewing;
  const follows = second.value?.follows === true;
  return (
    <header class="tbwidget-viewer-bar">
      <SideBar
        kind={kind}
        side={a}
        name={b === null ? null : viewerTexts().first}
        active={active === a}
        activate={() => (state.active.value = "a")}
        choose={(place) => (first.value = place)}
      />
      {b !== null && (
        <SideBar
          kind={kind}
          side={b}
          name={viewerTexts().second}
          active={active === b}
          activate={() => (state.active.value = "b")}
          choose={(place) => (second.value = { place, follows })}
        >
          <label class="tbwidget-check" title={viewerTexts().sameStepHint}>
            <input
              type="checkbox"
              checked={follows}
              data-action="viewer.same_step"
              onChange={({ currentTarget }) => {
                second.value = { place: b.place, follows: currentTarget.checked };
              }}
            />
            <span>{viewerTexts().sameStep}</span>
          </label>
          <button
            type="button"
            class="tbwidget-word"
            title={viewerTexts().swapHint}
            data-action="viewer.swap"
            onClick={() => act({ does: "swap" })}
          >
            {viewerTexts().keys.swap}
          </button>
        </SideBar>
      )}
      <Segments
        title={viewerTexts().modeTitle}
        action="viewer.mode_"
        options={modes}
        names={viewerTexts().modes}
        hints={viewerTexts().modeHints}
        chosen={mode}
        choose={setMode}
      />
      <SaveItems
        kind={kind}
        title={saveHint}
        places={() =>
          active.row === undefined ? [] : [{ tag: active.place.tag, run: active.place.run, row: active.row }]
        }
        name=""
      />
      {controls}
      <CloseButton close={close} />
    </header>
  );
}

interface SideProps<R extends SampledRow, V> {
  readonly kind: Viewing<R, V>["kind"];
  readonly side: ItemSide<R, V>;
  /** Null where there is one side. */
  readonly name: string | null;
  readonly active: boolean;
  activate(): void;
  choose(place: Place): void;
  readonly children?: ComponentChildren;
}

/** Chooses run, tag and sample of a side. */
function SideBar<R extends SampledRow, V>(props: SideProps<R, V>) {
  const { kind, side, name, active, activate, choose, children } = props;
  const view = useView();
  const { place, samples } = side;
  const { channel, options, theme } = view;
  const tags = channel.store.items(kind.codec).tags.value;
  const runs = runsWith(kind, place.tag, place.run, view);
  return (
    <span class="tbwidget-side">
      {name !== null && (
        <button
          type="button"
          class="tbwidget-side-name"
          aria-pressed={active}
          title={viewerTexts().sideHint}
          onClick={activate}
        >
          {name}
        </button>
      )}
      <i class="tbwidget-side-dot" style={{ background: options.colorOf.value(place.run, theme.value) }} />
      <Select
        label={lineTexts().runColumn}
        value={place.run}
        options={runs}
        choose={(run) => choose(placeIn(kind, run, place, view))}
      />
      <Select
        label={viewerTexts().tag}
        value={place.tag}
        options={tags}
        choose={(tag) => choose(placeUnder(kind, tag, place, view))}
      />
      {samples.length > 1 && (
        <Select
          label={viewerTexts().sample}
          value={`${place.sample}`}
          options={samples.map(String)}
          choose={(sample) => choose({ ...place, sample: Number(sample), id: null })}
        />
      )}
      {children}
    </span>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly string[];
  choose(option: string): void;
}

function Select({ label, value, options, choose }: SelectProps) {
  // By their places: two names may look alike, and a value is text without line ends.
  const all = options.includes(value) ? options : [value, ...options];
  // There may be thousands of tags, and the same ones at each step.
  const entries = useMemo(
    () =>
      all.map((option, i) => (
        <option key={option} value={i}>
          {option}
        </option>
      )),
    [all],
  );
  return (
    <select
      class="tbwidget-select"
      aria-label={label}
      title={viewerTexts().labeled(label, value)}
      value={all.indexOf(value)}
      onChange={({ currentTarget }) => {
        const chosen = all[currentTarget.selectedIndex];
        if (chosen !== undefined) {
          choose(chosen);
        }
      }}
    >
      {entries}
    </select>
  );
}
