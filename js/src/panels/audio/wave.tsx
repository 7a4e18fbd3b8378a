// The drawing of a clip, on which one goes to a time: with the pointer or the keyboard.

import { useEffect, useRef } from "preact/hooks";
import { fitCanvas } from "../../charts/geometry";
import { actionAmong, type KeyMap } from "../../charts/keyboard";
import { useCanvasSize } from "../../charts/pixelratio";
import { css, pageColors } from "../../charts/theme";
import { useView } from "../../ui/view";
import { clock, hertz } from "./facts";
import { paintClip } from "./paint";
import type { Waveform } from "./peaks";
import { audioTexts } from "./texts";

/** CSS pixels. */
export const WAVE_HEIGHT = 44;
export const SPECTROGRAM_HEIGHT = 72;

/** The drawing of a clip. */
export interface Drawing {
  /** The id of the clip's row. */
  readonly id: number;
  /** Null where the clip is not decoded for it. */
  readonly waveform: Waveform | null;
  readonly spectrogram: { readonly image: HTMLCanvasElement; readonly highest: number } | null;
}

/** A line along which the clip is played. */
const UNKNOWN: Waveform = {
  lanes: [{ least: Float32Array.of(0), greatest: Float32Array.of(0) }],
  loudest: 0,
  duration: 0,
};

/** Where a key leads to from a time, or "toggle": it plays or pauses. */
type WaveAction = "toggle" | ((time: number, duration: number) => number);

const near = (sign: 1 | -1) => (time: number, duration: number) => time + sign * Math.min(1, duration / 20);
const far = (sign: 1 | -1) => (time: number, duration: number) => time + sign * Math.min(10, duration / 5);

/** The keys of a waveform. */
export const WAVE_KEYS = {
  near: { ArrowLeft: near(-1), ArrowDown: near(-1), ArrowRight: near(1), ArrowUp: near(1) },
  far: { PageDown: far(-1), PageUp: far(1) },
  ends: { Home: () => 0, End: (_, duration) => duration },
  toggle: { Space: "toggle", Enter: "toggle" },
} as const satisfies KeyMap<WaveAction>;

interface Props {
  readonly label: string;
  readonly drawing: Drawing | null;
  readonly color: string;
  readonly fit: boolean;
  readonly spectrogram: boolean;
  /** Seconds; null as long as that is not known. */
  readonly duration: number | null;
  readonly time: number;
  seek(time: number): void;
  toggle(): void;
  /** It has been drawn. */
  drawn(id: number): void;
}

export function Wave({ label, drawing, color, fit, spectrogram, duration, time, seek, toggle, drawn }: Props) {
  const { frames, theme } = useView();
  const page = theme.value;
  const canvas = useRef<HTMLCanvasElement>(null);
  const height = WAVE_HEIGHT + (spectrogram ? SPECTROGRAM_HEIGHT : 0);
  const played = duration === null ? 0 : Math.min(1, time / duration);
  const { width, ratio } = useCanvasSize(canvas).value;
  useEffect(() => {
    const element = canvas.current;
    if (element === null || drawing === null || width === 0) {
      return;
    }
    frames.request(element, () => {
      fitCanvas(element, { width, height }, ratio);
      const waveform = drawing.waveform ?? UNKNOWN;
      const image = spectrogram ? (drawing.spectrogram?.image ?? null) : null;
      const waveHeight = spectrogram ? Math.round(WAVE_HEIGHT * ratio) : element.height;
      // Asking for the colors of the page is slow: not for what has never been played.
      const ink = played > 0 ? css(pageColors(element, page).foreground) : color;
      paintClip(element, { waveform, spectrogram: image, color, ink, fit, played, waveHeight, ratio });
      drawn(drawing.id);
    });
  }, [drawing, color, fit, spectrogram, played, page, width, height, ratio, frames, drawn]);
  useEffect(() => () => (canvas.current === null ? undefined : frames.cancel(canvas.current)), [frames]);

  const go = (to: number) => duration !== null && seek(Math.max(0, Math.min(duration, to)));
  const point = ({ clientX, currentTarget }: { clientX: number; currentTarget: HTMLElement }) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    go(((clientX - left) / width) * (duration ?? 0));
  };
  const highest = spectrogram ? drawing?.spectrogram?.highest : undefined;
  // JupyterLab would take the arrow keys for its own.
  return (
    <div
      class="tbwidget-clip-wave"
      role="slider"
      tabIndex={0}
      data-action="audio.position"
      data-lm-suppress-shortcuts="true"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={duration ?? 0}
      aria-valuenow={time}
      aria-valuetext={duration === null ? "" : audioTexts().timeWithin(clock(time, duration), clock(duration))}
      aria-disabled={duration === null}
      style={{ height: `${height}px` }}
      onPointerDown={(event) => {
        if (event.button === 0) {
          event.currentTarget.setPointerCapture(event.pointerId);
          point(event);
        }
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && point(event)}
      onKeyDown={(event) => {
        const action = actionAmong<WaveAction>(event, WAVE_KEYS);
        if (action !== undefined) {
          event.preventDefault();
        }
        if (action === "toggle") {
          toggle();
        } else if (action !== undefined) {
          go(action(time, duration ?? 0));
        }
      }}
    >
      <canvas ref={canvas} />
      {highest !== undefined && (
        <span class="tbwidget-clip-highest" aria-hidden="true" style={{ top: `${WAVE_HEIGHT + 1}px` }}>
          {hertz(highest)}
        </span>
      )}
    </div>
  );
}
