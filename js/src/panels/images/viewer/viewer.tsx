// The full-window viewer: one image of a tag as large as there is room, its steps as a film strip, another one to compare.

import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { pixelRatio } from "../../../charts/pixelratio";
import { cardRepeat } from "../../../items/shown";
import { cardStep } from "../../../items/steps";
import { strings } from "../../../lib/strings";
import { Dialog } from "../../../ui/dialog";
import { useOptions, useView, type View } from "../../../ui/view";
import { type ImagePlace, type ImageRow, images } from "../codec";
import { imagesOptions } from "../options";
import { filterOf } from "../tilepicture";
import { viewerAt } from "../viewerat";
import { cameraOf } from "../zoom/cameras";
import { actionOf, aimed, type KeyAction } from "../zoom/keys";
import { ViewerBar } from "./bar";
import type { Found } from "./differencecanvas";
import { type Hovered, sizeOf } from "./frame";
import { ModeControls } from "./modes";
import { otherThan, type Place, type Second } from "./place";
import { Readout } from "./readout";
import { placeIn, runsWith, type Side, useSide } from "./side";
import { Stages } from "./stages";
import { type Mode, viewerState } from "./state";
import { Strip } from "./strip";
import "./viewer.css";

export function Viewer() {
  const at = viewerAt(useView());
  return at.value !== null && <Open at={at.value} close={() => (at.value = null)} />;
}

/** The step that the card of a tag shows, if it is that of the row: "newest" is one that moves on. */
function placeOf(view: View, { tag, run, row }: ImagePlace): Place {
  const { at } = cardStep(view, "images", tag);
  const newest = at === "newest" && cardRepeat(view, "images", tag).at === "newest";
  return { run, tag, sample: row.sample, at: newest ? at : row.step, id: newest ? null : row.id };
}

interface Props {
  readonly at: ImagePlace;
  close(): void;
}

function Open({ at, close }: Props) {
  const view = useView();
  const dialog = useRef<HTMLDialogElement>(null);
  const state = viewerState(view);
  const { brightness, contrast, pixelated } = useOptions(imagesOptions);
  const first = useSignal(useMemo(() => placeOf(view, at), [view, at]));
  const second = useSignal<Second | null>(null);
  const runsBeside = useSignal(false);
  const hovered = useSignal<Hovered | null>(null);
  const differences = useSignal<Found | null>(null);
  const a = useSide(first.value);
  const b = useSide(second.value === null ? null : placeOfSecond(second.value, a));
  const mode: Mode = b !== null ? state.mode.value : runsBeside.value ? "runs" : "single";
  const camera = cameraOf(view, a.place.tag);

  useLayoutEffect(() => {
    state.active.value = "a";
  }, [state]);
  const active = b !== null && state.active.value === "b" ? b : a;
  const go = (place: Place, follows = false) => {
    if (active === a) {
      first.value = place;
      cardStep(view, "images", place.tag).set(place.at);
    } else {
      second.value = { place, follows };
    }
  };
  const show = (row: ImageRow | undefined) => {
    if (row !== undefined) {
      go({ ...active.place, at: row.step, id: row.id });
    }
  };
  const setMode = (next: Mode) => {
    runsBeside.value = next === "runs";
    if (next !== "single" && next !== "runs") {
      state.mode.value = next;
      const tags = view.channel.store.items(images).tags.peek();
      const other = otherThan(a.place, runsWith(a.place.tag, a.place.run, view), a.rows[a.shown - 1], tags);
      second.value ??= { place: other, follows: other.id === null };
    } else {
      second.value = null;
      state.active.value = "a";
    }
  };
  const act = (action: KeyAction) => {
    const runs = runsWith(active.place.tag, active.place.run, view);
    const size = sizeOf(a);
    switch (action.does) {
      case "step":
        return show(active.rows[Math.max(0, Math.min(active.rows.length - 1, active.shown + action.by))]);
      case "first":
        return show(active.rows[0]);
      case "last":
        return go({ ...active.place, at: "newest", id: null });
      case "run": {
        const run = runs[runs.indexOf(active.place.run) + action.by];
        return run === undefined ? undefined : go(placeIn(run, active.place, view), second.value?.follows);
      }
      case "swap":
        if (second.value !== null && b !== null) {
          const before = first.value;
          first.value = b.place;
          second.value = { place: before, follows: second.value.follows };
        }
        return;
      default:
        if (size !== null) {
          camera.value = aimed(camera.peek(), action, size, state.stage.value, pixelRatio());
        }
        return;
    }
  };
  // What leaves the film strip would take the focus, and so the keys, with it.
  const keepFocus = (target: EventTarget | null) => {
    if (target instanceof Element && target.closest(".tbwidget-strip")) {
      dialog.current?.focus();
    }
  };
  return (
    <Dialog
      label={strings.images.viewer(a.place.tag)}
      class="tbwidget-viewer"
      element={dialog}
      // Its keys are those of the viewer, not of its first control.
      focus={(element) => element.focus()}
      closed={close}
      onKeyDown={(event) => {
        const action =
          event.target instanceof Element && event.target.closest("input, select") ? undefined : actionOf(event);
        if (action !== undefined) {
          event.preventDefault();
          act(action);
          keepFocus(event.target);
        }
      }}
    >
      <ViewerBar
        a={a}
        b={b}
        first={first}
        second={second}
        state={state}
        mode={mode}
        setMode={setMode}
        act={act}
        camera={camera}
        close={() => dialog.current?.close()}
      />
      <Stages
        a={a}
        b={b}
        mode={mode}
        state={state}
        camera={camera}
        look={{ filter: filterOf(brightness.value, contrast.value), pixelated: pixelated.value }}
        hovered={hovered}
        differences={differences}
      />
      {b !== null && <ModeControls mode={mode} state={state} />}
      <Readout a={a} b={b} mode={mode} hovered={hovered} differences={differences} />
      <Strip
        key={JSON.stringify([active.place.run, active.place.tag, active.place.sample])}
        run={active.place.run}
        tag={active.place.tag}
        rows={active.rows}
        shown={active.shown}
        choose={(row) => {
          show(row);
          dialog.current?.focus();
        }}
      />
    </Dialog>
  );
}

/** Where the second side is: at the step of the first, as long as it follows. */
function placeOfSecond({ place, follows }: Second, { place: { at }, row }: Side): Place {
  return follows ? { ...place, at: row?.step ?? at, id: null } : place;
}
