// The interface in Korean: the tables of all folders. docs/glossary.ko.md has its terms.

import "./lib/commontexts.ko";
import "./wire/texts.ko";
import "./ui/texts.ko";
import "./ui/save/texts.ko";
import "./lines/texts.ko";
import "./histograms/texts.ko";
import "./items/texts.ko";
import "./items/viewer/texts.ko";
import "./dashboard/texts.ko";
import "./dashboard/commands/texts.ko";
import "./panels/audio/texts.ko";
import "./panels/custom_scalars/texts.ko";
import "./panels/distributions/texts.ko";
import "./panels/graphs/draw/texts.ko";
import "./panels/graphs/texts.ko";
import "./panels/histograms/texts.ko";
import "./panels/hparams/parallel/texts.ko";
import "./panels/hparams/scatter/texts.ko";
import "./panels/hparams/texts.ko";
import "./panels/images/texts.ko";
import "./panels/meshes/texts.ko";
import "./panels/pr_curves/texts.ko";
import "./panels/projector/texts.ko";
import "./panels/scalars/texts.ko";
import "./panels/text/texts.ko";
import reasons from "../../tbwidget/reasons_ko.json";
import { reasonTemplates } from "./wire/reasons";

reasonTemplates.set("ko", reasons);
