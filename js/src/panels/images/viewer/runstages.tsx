// The images of all runs at one step, beside each other, zoomed and moved together.

import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { pixelRatio } from "../../../charts/pixelratio";
import { formatCount } from "../../../lib/format";
import { strings } from "../../../lib/strings";
import { useView } from "../../../ui/view";
import type { Camera } from "../zoom/camera";
import { Frame, type Hovered, type Look, sizeOf } from "./frame";
import { runsWith, type Side, useSide } from "./side";
import { SideStage } from "./sidestage";
import type { ViewerState } from "./state";

/** Runs that are shown at once; the others are counted. */
const MOST_RUNS = 24;

/** Pixels of the images of all runs that are held. */
const MOST_PIXELS = 24 * 1_048_576;

interface Props {
  readonly a: Side;
  readonly state: ViewerState;
  readonly camera: Signal<Camera>;
  readonly look: Look;
  readonly hovered: Signal<Hovered | null>;
}

export function RunStages(props: Props) {
  const { a } = props;
  const runs = runsWith(a.place.tag, a.place.run, useView());
  // The one that the film strip is about is among them.
  const first = Math.max(0, Math.min(runs.indexOf(a.place.run) - MOST_RUNS + 1, runs.length - MOST_RUNS));
  const shown = runs.slice(first, first + MOST_RUNS);
  const size = sizeOf(a);
  const shape = size === null ? 1 : size.width / size.height;
  const columns = columnsFor(shown.length, shape, globalThis.innerWidth / globalThis.innerHeight);
  return (
    <>
      <div
        class="tbwidget-stages"
        data-mode="runs"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
      >
        {shown.map((run) => (
          <RunStage key={run} run={run} most={MOST_PIXELS / shown.length} {...props} />
        ))}
      </div>
      {shown.length < runs.length && <p class="tbwidget-hint">{strings.moreRuns(runs.length - shown.length)}</p>}
    </>
  );
}

/** Columns of a grid in which so many images are largest. `image` and `window`: width by height. */
export function columnsFor(count: number, image: number, window: number): number {
  let [best, most] = [1, 0];
  for (let columns = 1; columns <= count; columns += 1) {
    const [width, height] = [window / columns, 1 / Math.ceil(count / columns)];
    const size = Math.min(width, height * image);
    if (size > most) {
      [best, most] = [columns, size];
    }
  }
  return best;
}

interface RunProps extends Props {
  readonly run: string;
  /** Pixels of its image that are held; a larger one is an image element's. */
  readonly most: number;
}

function RunStage({ run, most, a, state, camera, look, hovered }: RunProps) {
  const { options, theme } = useView();
  const { place } = a;
  const own = run === place.run;
  const stage = state.stage.value;
  // As many pixels as are on the screen: of many large images there would be no room for all.
  const pixels = Math.max(stage.width, stage.height) * camera.value.zoom * pixelRatio();
  const at = own ? place.at : (a.row?.step ?? place.at);
  const side = useSide({ ...place, run, at, id: own ? place.id : null }, pixels, most);
  const { opened } = side;
  // The pointer rests while its image changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: all else of the side is as old as what is on the screen
  useEffect(() => {
    const at = hovered.peek();
    if (at !== null && typeof at.side !== "string" && at.side.place.run === run) {
      hovered.value = { ...at, side };
    }
  }, [opened]);
  const behind = side.row !== undefined && a.row !== undefined && side.row.step !== a.row.step;
  return (
    <Frame
      side={side}
      active={own}
      name={
        <figcaption class="tbwidget-viewed-run">
          <i class="tbwidget-side-dot" style={{ background: options.colorOf.value(run, theme.value) }} />
          {run}
          {behind && <em>{strings.atLinked(formatCount(side.row?.step ?? 0n))}</em>}
        </figcaption>
      }
    >
      <SideStage side={side} state={state} camera={camera} look={look} hovered={hovered} />
    </Frame>
  );
}
