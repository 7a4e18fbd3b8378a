// Actions of the images.

import { itemCardActions, openItem, viewerActions } from "../../items/actions";
import { itemTexts } from "../../items/texts";
import { type Mode, VIEWER_KEYS } from "../../items/viewer/state";
import { viewerTexts } from "../../items/viewer/texts";
import type { Action } from "../../ui/actions";
import { fillCard, onCard } from "../../ui/cardcommands";
import { cardGestures, keyGestures, pointerGestures } from "../../ui/gestures";
import { pressing } from "../../ui/reach";
import { menuTexts, uiTexts } from "../../ui/texts";
import type { View } from "../../ui/view";
import { imagesOptions, MAX_LEVEL, MAX_TILE_PX, MIN_TILE_PX } from "./options";
import { imageTexts } from "./texts";
import { cameraOf } from "./zoom/camera";
import { IMAGE_KEYS } from "./zoom/gestures";

/** The ways to compare images. */
export const MODES: readonly Mode[] = ["single", "runs", "sides", "swipe", "blend", "difference"];

const optionsOf = ({ options }: View) => options.of(imagesOptions);

const size = { menu: "view", section: () => menuTexts().sections.size } as const;
const levels = { menu: "view", section: () => menuTexts().sections.levels } as const;

/** A factor: as written in the middle of the slider. */
const factor = { least: 0, most: MAX_LEVEL, slider: { least: 0, most: 2, step: 0.05 } } as const;

const areLevelsChanged = (view: View) => optionsOf(view).brightness.value !== 1 || optionsOf(view).contrast.value !== 1;

export const imageActions: readonly Action[] = [
  {
    ...size,
    kind: "toggle",
    id: "images.actual_size",
    name: () => imageTexts().actualSize,
    hint: () => imageTexts().actualSizeHint,
    option: (view) => optionsOf(view).actual_size,
  },
  {
    ...size,
    kind: "number",
    id: "images.image_size",
    name: () => itemTexts().tileSize,
    hint: () => imageTexts().imageSizeHint,
    least: MIN_TILE_PX,
    most: MAX_TILE_PX,
    step: 1,
    slider: { least: MIN_TILE_PX, most: MAX_TILE_PX, step: 0.125, isLog: true },
    option: (view) => optionsOf(view).image_size,
    applies: (view) => !optionsOf(view).actual_size.value,
  },
  {
    ...size,
    kind: "toggle",
    id: "images.pixelated",
    name: () => imageTexts().pixelated,
    hint: () => imageTexts().pixelatedHint,
    option: (view) => optionsOf(view).pixelated,
  },
  {
    ...levels,
    ...factor,
    kind: "number",
    id: "images.brightness",
    name: () => imageTexts().brightness,
    option: (view) => optionsOf(view).brightness,
  },
  {
    ...levels,
    ...factor,
    kind: "number",
    id: "images.contrast",
    name: () => imageTexts().contrast,
    option: (view) => optionsOf(view).contrast,
  },
  {
    ...levels,
    kind: "command",
    id: "images.reset_levels",
    name: () => imageTexts().resetLevels,
    applies: areLevelsChanged,
    active: areLevelsChanged,
    run: (view) => {
      optionsOf(view).brightness.set(1);
      optionsOf(view).contrast.set(1);
    },
  },
  ...pointerGestures(
    "images",
    () => imageTexts().title,
    ["click", "wheel", "drag", "reset"],
    () => imageTexts().gestures,
  ),
  ...keyGestures(
    "images",
    () => imageTexts().title,
    IMAGE_KEYS,
    () => imageTexts().keys,
  ),
  ...keyGestures(
    "viewer",
    () => viewerTexts().title,
    VIEWER_KEYS,
    () => viewerTexts().keys,
  ),
  ...itemCardActions,
  onCard("card.reset_zoom", () => uiTexts().resetZoom, {
    has: ({ tags }, view) => cameraOf(view, tags[0] ?? "").value.zoom > 1,
  }),
  fillCard,
  openItem,
  ...viewerActions(MODES),
  pressing("view.zoom_out", () => imageTexts().zoomOut),
  pressing("view.zoom_in", () => imageTexts().zoomIn),
  pressing("view.fit", () => imageTexts().wholeImage),
  pressing("images.actual_pixels", () => imageTexts().actualPixels),
  ...cardGestures(false),
];
