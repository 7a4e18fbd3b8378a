// The images: cards by tag, and the controls that hold for all of them.

import { useItemSteps } from "../../items/playback";
import { SaveItems } from "../../items/save";
import { shownItems } from "../../items/shown";
import { namedRangeOptions } from "../../options/namedranges";
import { timeAxisOptions } from "../../options/shared";
import { FilterTags } from "../../ui/controls";
import { Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { saveTexts } from "../../ui/save/texts";
import { Toolbar } from "../../ui/toolbar";
import { useOptions, useView } from "../../ui/view";
import { imageActions } from "./actions";
import { ImageCard } from "./card";
import { imageItems, images as imagesCodec } from "./codec";
import { imagesOptions } from "./options";
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
  return (
    <Toolbar
      name={imageTexts().title}
      actions={imageActions}
      save={
        <SaveItems
          kind={imageItems}
          title={saveTexts().filesPanelHint}
          ofPanel
          places={() => shownItems(view, imagesCodec)}
          name="images"
        />
      }
      filter={<FilterTags tags={images.tags.value} />}
    />
  );
}

export const images = definePanel({
  name: "images",
  title: () => imageTexts().title,
  codecs: [imagesCodec],
  options: [timeAxisOptions, namedRangeOptions, imagesOptions],
  actions: imageActions,
  useSteps: () => useItemSteps(imagesCodec),
  Toolbar: ImagesToolbar,
  Body: ImagesPanel,
});
