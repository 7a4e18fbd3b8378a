// The full-window viewer of images: its steps are a film strip, and pixels of two images are compared.

import { useSignal } from "@preact/signals";
import { pixelRatio } from "../../../charts/pixelratio";
import type { Mode, OpenedAt } from "../../../items/viewer/state";
import { viewerState } from "../../../items/viewer/state";
import { ItemViewer } from "../../../items/viewer/viewer";
import { useViewing } from "../../../items/viewer/viewing";
import { useOptions, useView } from "../../../ui/view";
import type { ImageRow } from "../codec";
import { imageItems } from "../item";
import { imagesOptions } from "../options";
import { imageTexts } from "../texts";
import { filterOf } from "../tilepicture";
import { cameraOf } from "../zoom/cameras";
import { actionOf, aimed, type CameraAction } from "../zoom/keys";
import type { Found } from "./differencecanvas";
import { type Hovered, sizeOf } from "./layers";
import { ModeControls } from "./modes";
import { Readout } from "./readout";
import { useOpenedSide } from "./side";
import { Stages } from "./stages";
import { stageState } from "./state";
import { Strip } from "./strip";
import { ZoomButtons } from "./zoombuttons";

const MODES: readonly Mode[] = ["single", "runs", "sides", "swipe", "blend", "difference"];

export function Viewer() {
  const { at } = viewerState(useView(), "images");
  return at.value !== null && <Open at={at.value as OpenedAt<ImageRow>} close={() => (at.value = null)} />;
}

interface Props {
  readonly at: OpenedAt<ImageRow>;
  close(): void;
}

function Open({ at, close }: Props) {
  const view = useView();
  const state = stageState(view);
  const { brightness, contrast, pixelated } = useOptions(imagesOptions);
  const hovered = useSignal<Hovered | null>(null);
  const differences = useSignal<Found | null>(null);
  const viewing = useViewing(imageItems, at, Number.POSITIVE_INFINITY);
  const { active, mode, show } = viewing;
  const a = useOpenedSide(viewing.a);
  const b = useOpenedSide(viewing.b);
  const { run, tag, sample } = active.place;
  const camera = cameraOf(view, a.place.tag);
  const act = (action: CameraAction) => {
    const size = sizeOf(a);
    if (size !== null) {
      camera.value = aimed(camera.peek(), action, size, state.stage.value, pixelRatio());
    }
  };
  return (
    <ItemViewer
      label={imageTexts().viewer(a.place.tag)}
      viewing={viewing}
      modes={MODES}
      saveHint={imageTexts().saveHint}
      controls={<ZoomButtons side={a} camera={camera} state={state} act={act} />}
      close={close}
      keyed={(event) => {
        const action = actionOf(event);
        if (action !== undefined) {
          act(action);
        }
        return action !== undefined;
      }}
    >
      <Stages
        viewing={viewing}
        a={a}
        b={b}
        state={state}
        camera={camera}
        look={{ filter: filterOf(brightness.value, contrast.value), pixelated: pixelated.value }}
        hovered={hovered}
        differences={differences}
      />
      {b !== null && <ModeControls mode={mode} state={state} />}
      <Readout a={a} b={b} mode={mode} hovered={hovered} differences={differences} />
      <Strip
        key={JSON.stringify([run, tag, sample])}
        run={run}
        tag={tag}
        rows={active.rows}
        shown={active.shown}
        choose={show}
      />
    </ItemViewer>
  );
}
