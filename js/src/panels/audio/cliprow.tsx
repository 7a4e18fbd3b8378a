// One clip: whose it is, its drawing, and what plays it.

import { useSignal } from "@preact/signals";
import { createContext } from "preact";
import { useContext, useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { ShownRun } from "../../items/card";
import { beginWaiting } from "../../items/playback";
import { gatherItems } from "../../items/save";
import { stepShown } from "../../items/shown";
import { useItem, useWantedItem } from "../../items/source";
import { itemTexts } from "../../items/texts";
import { listOf } from "../../lib/texts";
import type { AtStep } from "../../ui/globalstep";
import { useMarkdown } from "../../ui/markdown/nodes";
import { RunName } from "../../ui/runname";
import { uiTexts } from "../../ui/texts";
import { useOnScreen, useOptions, useView } from "../../ui/view";
import { type Clip, type ClipPlace, type ClipRow, clipItems } from "./codec";
import { factsOf, playTime } from "./facts";
import { audioOptions } from "./options";
import { spectrogramImage } from "./paint";
import { waveformOf } from "./peaks";
import { Player } from "./player";
import { type Samples, samplesOf } from "./samples";
import { inSlices } from "./slices";
import { spectrogramOf } from "./spectrogram";
import { audioTexts } from "./texts";
import { type Drawing, Wave } from "./wave";

export const PlayerContext = createContext(new Player());

function keyOf({ tag, run, row }: ClipPlace): string {
  return JSON.stringify([tag, run, row.id]);
}

interface Props {
  readonly place: ClipPlace;
  /** The step that was chosen. */
  readonly at: AtStep;
  /** The newest of its sample, which is on its way. */
  readonly newer: ClipRow | null;
  /** Which of the clips of its step it is, where there are several. */
  readonly repeat: string;
  readonly of: Pick<ShownRun<ClipRow>, "name" | "color" | "faded">;
  /** Its run is named. */
  readonly named: boolean;
  /** Its value has several samples. */
  readonly several: boolean;
  /** A clip of this step has been drawn; null: none. */
  drawn(step: bigint | null): void;
}

export function ClipRowView({ place: picked, at, newer, repeat, of, named, several, drawn }: Props) {
  const { color, faded } = of;
  const name = named ? of.name : "";
  const view = useView();
  const player = useContext(PlayerContext);
  const { spectrogram, fit_waveforms } = useOptions(audioOptions);
  const screen = useRef<HTMLDivElement>(null);
  const onScreen = useOnScreen(screen);
  const heldOfPicked = useItem(clipItems, onScreen ? picked : null, { pushed: at === "newest" });
  useWantedItem(clipItems, onScreen && newer !== null ? { ...picked, row: newer } : null, { pushed: true });
  // A new clip does not replace the one being played, and a clip that has not arrived does not replace one that has.
  const shown = useRef({ place: picked, held: heldOfPicked });
  const { place: before, held: heldBefore } = shown.current;
  const comes = onScreen && heldOfPicked.state === "waits" && heldBefore.state === "held";
  if (at !== "newest" || !(comes || player.isPlaying(keyOf(before)))) {
    shown.current = { place: picked, held: heldOfPicked };
  }
  const { place, held } = shown.current;
  const { row, run, tag } = place;
  const key = keyOf(place);
  const clip = held.state === "held" ? held.value : null;
  const { drawing, failed } = useDrawing(row.id, clip, spectrogram.value, player.wasPlayed(key));
  const shownId = useSignal<number | null>(null);
  const current = useRef({ row, drawn });
  current.current = { row, drawn };
  const wasDrawn = useRef((id: number) => {
    shownId.value = id;
    if (id === current.current.row.id) {
      current.current.drawn(current.current.row.step);
    }
  }).current;
  useLayoutEffect(() => player.show(key), [player, key]);
  useEffect(() => () => current.current.drawn(null), []);

  const reason = held.state === "broken" ? held.reason : failed ? audioTexts().undecodable : player.problemOf(key);
  const state = reason !== null ? "broken" : shownId.value === row.id && drawing?.id === row.id ? "shown" : "waits";
  useEffect(() => {
    if (state === "broken") {
      current.current.drawn(row.step);
    }
  }, [state, row.step]);
  const holdsUp = onScreen && state === "waits";
  useEffect(() => (holdsUp ? beginWaiting(view, "audio", tag) : undefined), [holdsUp, view, tag]);
  const known = held.value;
  const duration =
    (drawing?.id === row.id ? drawing.waveform?.duration : undefined) ??
    player.durationOf(key) ??
    (known?.frames && known.rate ? known.frames / known.rate : null);
  const time = player.timeOf(key);
  const playing = player.isPlaying(key);
  const play = playing ? audioTexts().pauseClip : audioTexts().playClip;
  const toggle = () => (playing || clip === null ? player.pause() : void player.play(key, clip));
  const who = listOf([...(name === "" ? [] : [run]), ...(several ? [itemTexts().sampleName(row.sample)] : [])]);
  const step = stepShown(row, at, newer);
  return (
    <article
      class="tbwidget-clip"
      aria-label={who === "" ? run : who}
      data-run={run}
      data-tag={tag}
      data-step={row.step.toString()}
      data-sample={row.sample}
      data-state={state}
      data-faded={faded ? "" : undefined}
      data-stays={playing ? "" : undefined}
      style={{ "--tbwidget-run": color }}
    >
      <p class="tbwidget-clip-head">
        {name !== "" && (
          <span class="tbwidget-clip-run" title={run}>
            <RunName run={run} />
          </span>
        )}
        {several && <span>{itemTexts().sampleName(row.sample)}</span>}
        <span class="tbwidget-clip-step" data-inexact={step.behind ? "" : undefined}>
          {step.text}
        </span>
        {repeat !== "" && <span>{repeat}</span>}
      </p>
      {known !== null && known.label !== "" && <Label text={known.label} />}
      <div ref={screen} class="tbwidget-clip-body">
        <button
          type="button"
          class="tbwidget-clip-play"
          disabled={clip === null || reason !== null}
          aria-label={who === "" ? play : audioTexts().ofWhom(play, who)}
          title={play}
          data-action={playing ? "audio.pause" : "audio.play"}
          onClick={toggle}
        >
          <svg viewBox="0 0 10 10" width="12" height="12" aria-hidden="true">
            <path d={playing ? "M2 1h2.2v8H2zM5.8 1H8v8H5.8z" : "M2 .8 9 5 2 9.2z"} />
          </svg>
        </button>
        <Wave
          label={audioTexts().positionIn(who === "" ? tag : who)}
          drawing={onScreen ? drawing : null}
          color={color}
          fit={fit_waveforms.value}
          spectrogram={spectrogram.value}
          duration={clip === null ? null : duration}
          time={time}
          seek={(to) => player.seek(key, to)}
          toggle={toggle}
          drawn={wasDrawn}
        />
        {onScreen && state === "waits" && held.state === "waits" && (
          <span class="tbwidget-clip-message" role="status" title={uiTexts().waitsForKernelHint}>
            {uiTexts().waitsForKernel}
          </span>
        )}
        {reason !== null && (
          <span class="tbwidget-clip-message" data-wrong="" role="status" title={reason}>
            {reason}
          </span>
        )}
      </div>
      <p class="tbwidget-clip-facts">
        {duration !== null && <span class="tbwidget-clip-time">{playTime(time, duration)}</span>}
        {known !== null && (
          <span class="tbwidget-clip-made" title={factsOf(known)}>
            {factsOf(known)}
          </span>
        )}
        {known !== null && known.size > 0 && <SaveButton place={place} />}
      </p>
      {known !== null && known.notes.length > 0 && (
        <p class="tbwidget-clip-note" title={listOf(known.notes)}>
          {listOf(known.notes)}
        </p>
      )}
    </article>
  );
}

/** Saves the clip as it was written, as soon as that is here. */
function SaveButton({ place }: { readonly place: ClipPlace }) {
  const { channel } = useView();
  const state = useSignal<"" | "waits" | "refused">("");
  const job = useRef<ReturnType<typeof gatherItems<ClipRow, Clip>> | null>(null);
  useEffect(() => () => job.current?.end(), []);
  const save = () => {
    job.current?.end();
    const own = gatherItems(channel, clipItems, [place], "");
    job.current = own;
    state.value = "waits";
    void own.done.then(async () => {
      if (job.current === own) {
        state.value = own.files()[0] ? "" : "refused";
        await own.save();
      }
    });
  };
  const hint = { "": audioTexts().saveClip, waits: uiTexts().waitsForKernel, refused: audioTexts().clipNotSaved }[
    state.value
  ];
  return (
    <button
      type="button"
      class="tbwidget-clip-save"
      title={hint}
      data-action="audio.save"
      aria-busy={state.value === "waits"}
      data-state={state}
      onClick={save}
    >
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d="M6 1.5v6M3.4 5.2 6 7.8l2.6-2.6M2 10.3h8" />
      </svg>
    </button>
  );
}

/** The text written beside a clip: Markdown, as in TensorBoard. */
function Label({ text }: { readonly text: string }) {
  const host = useRef<HTMLDivElement>(null);
  const nodes = useMarkdown(useMemo(() => [text], [text]));
  useLayoutEffect(() => {
    host.current?.replaceChildren(...(nodes ?? [text]));
  }, [text, nodes]);
  return <div ref={host} class="tbwidget-clip-label" />;
}

// Computes what there is to draw of a clip, in slices.

interface Decoded {
  readonly clip: Clip;
  readonly played: boolean;
  readonly samples: Promise<Samples | null>;
}

interface DrawingState {
  /** The drawing; the last clip's stays until the next one is ready. */
  readonly drawing: Drawing | null;
  /** This clip cannot be decoded. */
  readonly failed: boolean;
}

/** The drawing of the clip behind a row, with its spectrogram if that is wanted. `played`: the user has played it. */
function useDrawing(id: number, clip: Clip | null, wantsSpectrogram: boolean, played: boolean): DrawingState {
  const drawing = useSignal<Drawing | null>(null);
  const failed = useSignal<Clip | null>(null);
  const decoded = useRef<Decoded | null>(null);
  useEffect(() => {
    if (clip === null) {
      decoded.current = null;
      return;
    }
    const end = new AbortController();
    const known = drawing.peek();
    const isDrawn = known !== null && known.id === id;
    const isWhole =
      known !== null && (known.waveform === null ? !played : known.spectrogram !== null || !wantsSpectrogram);
    if (isDrawn && isWhole) {
      return;
    }
    const before = decoded.current;
    if (before?.clip !== clip || (played && !before.played)) {
      decoded.current = { clip, played, samples: samplesOf(clip, played) };
    }
    const draw = async (samples: Samples | null) => {
      if (samples === null) {
        drawing.value = { id, waveform: null, spectrogram: null };
        return;
      }
      const waveform = (isDrawn ? known.waveform : null) ?? (await inSlices(waveformOf(samples), end.signal));
      // The waveform, which is shown first, does not wait for the spectrogram.
      drawing.value = { id, waveform, spectrogram: null };
      if (wantsSpectrogram) {
        const found = await inSlices(spectrogramOf(samples), end.signal);
        drawing.value = { id, waveform, spectrogram: { image: spectrogramImage(found), highest: found.highest } };
      }
    };
    decoded.current?.samples
      .then((samples) => (end.signal.aborted ? undefined : draw(samples)))
      .catch(() => {
        if (!end.signal.aborted) {
          failed.value = clip;
        }
      });
    return () => end.abort();
  }, [id, clip, wantsSpectrogram, played, drawing, failed]);
  return { drawing: drawing.value, failed: clip !== null && failed.value === clip };
}
