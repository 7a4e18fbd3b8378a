// Saves the meshes of a card as they are drawn.

import { safeName } from "../../lib/filenames";
import { formatCount } from "../../lib/format";
import { fileName } from "../../lib/itemnames";
import { saveTexts } from "../../ui/save/texts";
import { saveFiles } from "../../ui/savefile";
import { meshTexts } from "./texts";

/** Saves a PNG of each mesh that a card draws, and resolves to a message for the user. */
export async function savePictures(card: HTMLElement | null, tag: string): Promise<string> {
  const tiles = [...(card?.querySelectorAll<HTMLElement>(".tbwidget-tile") ?? [])];
  const made = await Promise.all(tiles.map((tile) => pictureOf(tile, tag)));
  const files = made.filter((file) => file !== null);
  await saveFiles(files, files.length === 1 ? null : ["meshes", safeName(tag)].filter(Boolean).join("_"));
  return files.length === 0 ? saveTexts().nothing : meshTexts().savedAsPng(formatCount(files.length));
}

async function pictureOf(tile: HTMLElement, tag: string) {
  const canvas = tile.querySelector("canvas");
  const { run = "", step = "0", sample = "0" } = tile.dataset;
  const blob = canvas && (await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png")));
  if (blob === null) {
    return null;
  }
  const isOne = tile.parentElement?.querySelector(`[data-run="${CSS.escape(run)}"][data-sample="1"]`) === null;
  const name = fileName({ run, tag, step: BigInt(step), sample: isOne ? null : Number(sample) }, "png");
  return { name, bytes: new Uint8Array(await blob.arrayBuffer()), wall: Date.now() / 1000 };
}
