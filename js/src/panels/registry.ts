// The panels that there are, in the order of their tabs. Keep in step with PANELS in tbwidget/panels/registry.py.

import type { Panel } from "../ui/panel";
import type { AnyCodec } from "../wire/codec";
import { audio } from "./audio";
import { custom_scalars } from "./custom_scalars";
import { distributions } from "./distributions";
import { graphs } from "./graphs";
import { histograms } from "./histograms";
import { hparams } from "./hparams";
import { hparamsDocument } from "./hparams/codec";
import { images } from "./images";
import { meshes } from "./meshes";
import { pr_curves } from "./pr_curves";
import { projector } from "./projector";
import { scalars } from "./scalars";
import { text } from "./text";

export const panels: Panel[] = [
  scalars,
  custom_scalars,
  histograms,
  distributions,
  pr_curves,
  hparams,
  images,
  audio,
  text,
  meshes,
  projector,
  graphs,
];

/** What travels whatever is shown, for the list of runs. Keep in step with ALWAYS_SENT there. */
export const alwaysSent: readonly AnyCodec[] = [hparamsDocument];

/** Adds a panel, before the first widget is opened. */
export function register(panel: Panel): void {
  panels.push(panel);
}
