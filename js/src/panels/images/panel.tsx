// The images: cards by tag, and the controls that hold for all of them.

import { useItemSteps } from "../../items/playback";
import { SaveItems } from "../../items/save";
import { shownItems } from "../../items/shown";
import { TileSize } from "../../items/tile";
import type { Option } from "../../options/declare";
import { timeAxisOptions } from "../../options/shared";
import { Check, FilterTags } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { saveTexts } from "../../ui/save/texts";
import { Slider } from "../../ui/slider";
import { useOptions, useView } from "../../ui/view";
import { ImageCard } from "./card";
import { imageItems, images as imagesCodec } from "./codec";
import { imagesOptions, MAX_TILE_PX, MIN_TILE_PX } from "./options";
import { CARD_PADDING } from "./shape";
import { imageTexts } from "./texts";
import { Viewer } from "./viewer/viewer";
import "./images.css";

export function ImagesPanel() {
  const { channel } = useView();
  const { image_size } = useOptions(imagesOptions);
  return (
    <div class="tbwidget-images" style={{ "--tbwidget-card": `${image_size.value + CARD_PADDING}px` }}>
      <Groups of={channel.store.items(imagesCodec)} Card={ImageCard} />
      <Viewer />
    </div>
  );
}

export function ImagesToolbar() {
  const view = useView();
  const images = view.channel.store.items(imagesCodec);
  const { image_size, actual_size, pixelated, brightness, contrast } = useOptions(imagesOptions);
  const changed = brightness.value !== 1 || contrast.value !== 1;
  return (
    <div class="tbwidget-toolbar">
      <TileSize
        option={image_size}
        range={[MIN_TILE_PX, MAX_TILE_PX]}
        hint={imageTexts().imageSizeHint}
        disabled={actual_size.value}
      />
      <Check option={actual_size} name={imageTexts().actualSize} hint={imageTexts().actualSizeHint} />
      <Check option={pixelated} name={imageTexts().pixelated} hint={imageTexts().pixelatedHint} />
      <Level option={brightness} name={imageTexts().brightness} icon={SUN} />
      <Level option={contrast} name={imageTexts().contrast} icon={HALF} />
      {/* Its place stays, or the line would break while a level is moved. */}
      <button
        type="button"
        class="tbwidget-chip"
        title={imageTexts().resetLevelsHint}
        disabled={!changed}
        onClick={() => {
          brightness.set(1);
          contrast.set(1);
        }}
      >
        {imageTexts().resetLevels}
      </button>
      <SaveItems
        kind={imageItems}
        label={saveTexts().panel}
        title={saveTexts().filesPanelHint}
        places={() => shownItems(view, imagesCodec)}
        name="images"
      />
      <FilterTags tags={images.tags.value} />
    </div>
  );
}

/** The slider ends here, the option goes further. */
const MAX_LEVEL = 2;

/** A sun with its rays, and a disc with one dark half. */
const SUN =
  "M7 4.2a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6zM6.5 0h1v2.5h-1zM6.5 11.5h1V14h-1zM0 6.5h2.5v1H0zM11.5 6.5H14v1h-2.5z";
const HALF = "M7 1a6 6 0 100 12A6 6 0 007 1zm0 1.2v9.6a4.8 4.8 0 010-9.6z";

interface LevelProps {
  readonly option: Option<number>;
  readonly name: string;
  /** The path of an icon of 14 by 14. */
  readonly icon: string;
}

/** A factor: as written in the middle. */
function Level({ option, name, icon }: LevelProps) {
  const shown = Math.min(MAX_LEVEL, option.value);
  return (
    <label class="tbwidget-level" title={`${name}: ${option.value}`}>
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        <path d={icon} fill-rule="evenodd" />
      </svg>
      <Slider
        min={0}
        max={MAX_LEVEL}
        step={0.05}
        value={shown}
        aria-label={name}
        choose={(value) => option.set(value)}
        onDblClick={() => option.set(1)}
      />
    </label>
  );
}

export const images = definePanel({
  name: "images",
  title: () => imageTexts().title,
  codecs: [imagesCodec],
  options: [timeAxisOptions, imagesOptions],
  useSteps: () => useItemSteps(imagesCodec),
  Toolbar: ImagesToolbar,
  Body: ImagesPanel,
});
