// The cards of a view that can be saved, on the screen or farther down; a picture of each.

import { signal, untracked } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isForced, type PageColors, pageColors } from "../../charts/theme";
import type { Theme } from "../../lib/tokens";
import { type ChartSource, cameraOf } from "../mountchart";
import { useView, type View } from "../view";
import type { CardPicture } from "./picture";

export interface SavableCard {
  element(): HTMLElement | null;
  readonly title: string;
  readonly tags: readonly string[];
  /** Makes the picture in the colors of a theme; null while it has no size. `release` frees its computed data. */
  picture(theme: Theme): (CardPicture & { release(): void }) | null;
}

interface Registered {
  current: SavableCard;
}

const cards = new WeakMap<View, Set<Registered>>();

/** While the component exists, its card is one of the view's. */
export function useSavable(card: SavableCard): void {
  const view = useView();
  const own = useRef(card);
  own.current = card;
  useLayoutEffect(() => {
    const all = cards.get(view) ?? new Set();
    cards.set(view, all.add(own));
    return () => {
      all.delete(own);
    };
  }, [view]);
}

/** In the order in which they stand. */
export function savableCards(view: View): SavableCard[] {
  const all = [...(cards.get(view) ?? [])].map(({ current }) => current);
  const place = (card: SavableCard) => card.element();
  return all.sort((a, b) => {
    const [one, other] = [place(a), place(b)];
    const follows = one && other && one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
    return follows ? -1 : 1;
  });
}

/** Whether a picture looks like the page. Colors that the user has chosen are for the screen: readers of the file have others. */
function hasPageColors(theme: Theme, view: View): boolean {
  return theme === view.theme.peek() && !isForced();
}

/** The colors of a picture of an element, or of our own theme. */
export function pictureColors(element: Element | null, theme: Theme, view: View): PageColors {
  return pageColors(hasPageColors(theme, view) ? element : null, theme);
}

/** The picture that a card draws into `host`, on the screen or not. */
export function cardPicture<T>(
  host: HTMLElement | null,
  title: string,
  view: View,
  theme: Theme,
  sourceOf: (host: Element, view: View) => ChartSource<T>,
  drawn: boolean,
): ReturnType<SavableCard["picture"]> {
  const { width, height } = host?.getBoundingClientRect() ?? { width: 0, height: 0 };
  if (host === null || width < 1 || height < 1) {
    return null;
  }
  return untracked(() => {
    const own = hasPageColors(theme, view);
    // Outside of the page nothing has its colors.
    const where = own ? host : document.createElement("div");
    const source = sourceOf(where, own ? view : { ...view, theme: signal(theme) });
    return {
      title,
      legend: source.legend(),
      size: { width: Math.floor(width), height: Math.floor(height) },
      content: source.content(),
      camera: cameraOf(view, source),
      // A chart on the screen keeps using the computed data.
      release: () => {
        if (!drawn) {
          source.release();
        }
      },
    };
  });
}
