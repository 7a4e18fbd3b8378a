// Actions of the meshes.

import { itemCardActions, openItem, viewerActions } from "../../items/actions";
import { itemTexts } from "../../items/texts";
import { type Mode, VIEWER_KEYS } from "../../items/viewer/state";
import { viewerTexts } from "../../items/viewer/texts";
import { scaleColor } from "../../lib/colors";
import type { Action } from "../../ui/actions";
import { fillCard, onCard, saving } from "../../ui/cardcommands";
import { choiceAmong, orNone } from "../../ui/choices";
import { cardGestures, keyGestures, pointerGestures } from "../../ui/gestures";
import { menuTexts } from "../../ui/texts";
import { useView, type View } from "../../ui/view";
import { camerasOf, canFit } from "./camera";
import { STAGE_KEYS, TILE_KEYS } from "./canvas";
import { COLORINGS, MAX_TILE_PX, MIN_TILE_PX, meshesOptions, SHADES } from "./options";
import { showsOnlyPoints } from "./surfaces";
import { meshTexts } from "./texts";

/** The ways to compare meshes. */
export const MODES: readonly Mode[] = ["single", "runs", "sides"];

const optionsOf = ({ options }: View) => options.of(meshesOptions);

const STOPS = [1, 0.75, 0.5, 0.25, 0];

/** The meaning of the colors of depth. */
function DepthKey() {
  const { theme } = useView();
  return (
    <span class="tbwidget-mesh-key" title={meshTexts().keyHint}>
      {meshTexts().near}
      <i
        style={{
          background: `linear-gradient(to right, ${STOPS.map((at) => scaleColor(at, theme.value)).join(", ")})`,
        }}
      />
      {meshTexts().far}
    </span>
  );
}

/** How meshes are drawn: in the viewer, too. */
export const drawingActions: readonly Action[] = [
  choiceAmong({
    id: "meshes.mesh_shade",
    bar: "drawn",
    name: () => meshTexts().shade,
    values: ["none", ...SHADES],
    names: () => meshTexts().shades,
    hints: () => meshTexts().shadeHints,
    option: (view) => orNone(optionsOf(view).mesh_shade),
  }),
  {
    ...choiceAmong({
      id: "meshes.mesh_color",
      bar: "drawn",
      name: () => meshTexts().color,
      values: COLORINGS,
      names: () => meshTexts().colorings,
      hints: () => meshTexts().coloringHints,
      option: (view) => optionsOf(view).mesh_color,
    }),
    barred: (view, value) => (value === "normal" && showsOnlyPoints(view) ? meshTexts().noNormals : undefined),
  },
  {
    kind: "form",
    id: "meshes.key",
    bar: "drawn",
    name: () => meshTexts().colorings.depth,
    Form: DepthKey,
    applies: (view) => optionsOf(view).mesh_color.value === "depth",
  },
];

const inView = { menu: "view", section: () => menuTexts().sections.size } as const;

export const sameCamera: Action = {
  ...inView,
  kind: "toggle",
  id: "meshes.mesh_same_camera",
  name: () => meshTexts().sameCamera,
  hint: () => meshTexts().sameCameraHint,
  option: (view) => optionsOf(view).mesh_same_camera,
};

export const meshActions: readonly Action[] = [
  ...drawingActions,
  {
    ...inView,
    kind: "number",
    id: "meshes.mesh_size",
    name: () => itemTexts().tileSize,
    hint: () => meshTexts().tileSizeHint,
    least: MIN_TILE_PX,
    most: MAX_TILE_PX,
    step: 1,
    slider: { least: MIN_TILE_PX, most: MAX_TILE_PX, step: 0.125, isLog: true },
    option: (view) => optionsOf(view).mesh_size,
  },
  sameCamera,
  ...pointerGestures(
    "meshes",
    () => meshTexts().title,
    ["drag", "move", "wheel", "fit"],
    () => meshTexts().gestures,
  ),
  ...keyGestures(
    "meshes",
    () => meshTexts().title,
    TILE_KEYS,
    () => meshTexts().keys,
  ),
  ...keyGestures(
    "viewer",
    () => viewerTexts().title,
    { ...VIEWER_KEYS, ...STAGE_KEYS },
    () => ({ ...viewerTexts().keys, ...meshTexts().keys }),
  ),
  ...itemCardActions,
  fillCard,
  openItem,
  saving("png", false),
  onCard("view.fit", () => meshTexts().fit, { has: ({ tags }, view) => canFit(camerasOf(view, tags[0] ?? "", "")) }),
  ...viewerActions(MODES),
  ...cardGestures(false),
];
