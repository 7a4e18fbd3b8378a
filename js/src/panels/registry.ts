// The panels that there are, in the order of their tabs. Keep in step with PANELS in tbwidget/panels/registry.py.
import { checkpointsDocument } from "../lines/checkpoints";
import { alertsDocument } from "../ui/alerts";
import type { Panel } from "../ui/panel";
import type { AnyCodec } from "../wire/codec";
import { audio } from "./audio/panel";
import { custom_scalars } from "./custom_scalars/panel";
import { descriptions } from "./descriptions";
import { distributions } from "./distributions/panel";
import { graphs } from "./graphs/panel";
import { histograms } from "./histograms/panel";
import { hparamsDocument } from "./hparams/codec";
import { hparams } from "./hparams/panel";
import { images } from "./images/panel";
import { meshes } from "./meshes/panel";
import { pr_curves } from "./pr_curves/panel";
import { projector } from "./projector/panel";
import { scalars } from "./scalars/panel";
import { text } from "./text/panel";

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

/** What travels whatever is shown. Keep in step with ALWAYS_SENT in tbwidget/dashboard/__init__.py. */
export const alwaysSent: readonly AnyCodec[] = [hparamsDocument, descriptions, checkpointsDocument, alertsDocument];

/** Adds a panel, before the first widget is opened. */
export function register(panel: Panel): void {
  panels.push(panel);
}
