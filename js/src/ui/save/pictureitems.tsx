// Menu lines that save or copy a picture of the cards.

import { signal } from "@preact/signals";
import { formatCount } from "../../lib/format";
import type { Toggle } from "../actions";
import { switchOf } from "../choices";
import { useView } from "../view";
import type { SavableCard } from "./cards";
import { Item } from "./item";
import { type PictureTarget, savePicture } from "./picturefile";
import { saveTexts } from "./texts";

const TARGETS: readonly PictureTarget[] = ["png", "svg", "copy"];

/** Whether pictures of a dark page have the colors of the light theme. */
const light = signal(false);

export const lightBackground: Toggle = {
  kind: "toggle",
  id: "save.light",
  name: () => saveTexts().lightBackground,
  applies: ({ theme }) => theme.value === "dark",
  option: () => switchOf(light),
};

interface Props {
  /** File name without its extension. */
  readonly stem: string;
  /** Above the picture. */
  readonly heading: string;
  /** Cards that the picture lacks because they are folded away. */
  readonly leftOut?: number;
  cards(): readonly SavableCard[];
  /** A message for the user; null clears the last one. */
  said(message: string | null): void;
}

export function PictureItems({ stem, heading, leftOut = 0, cards, said }: Props) {
  const view = useView();
  const draw = async (target: PictureTarget) => {
    said(null);
    const theme = light.peek() ? "light" : view.theme.peek();
    try {
      said(await savePicture(target, cards(), stem, heading, view, theme));
    } catch (error) {
      said(saveTexts().failed(String(error)));
    }
  };
  return (
    <>
      <h4 title={saveTexts().pictureHint}>{saveTexts().picture}</h4>
      {leftOut > 0 && <p>{saveTexts().leftOut(leftOut, formatCount(leftOut))}</p>}
      <ul>
        {TARGETS.map((target) => (
          <Item
            key={target}
            name={target === "copy" ? saveTexts().copyPicture : saveTexts().formats[target]}
            action={target === "copy" ? "save.copy_picture" : `save.${target}`}
            chosen={() => void draw(target)}
          />
        ))}
      </ul>
      {view.theme.value === "dark" && (
        <label title={saveTexts().lightBackgroundHint}>
          <input
            type="checkbox"
            checked={light.value}
            onChange={({ currentTarget }) => {
              light.value = currentTarget.checked;
            }}
          />
          <span>{saveTexts().lightBackground}</span>
        </label>
      )}
    </>
  );
}
