// Windowing of cards: those near the viewport are mounted. For each of the others there is a placeholder of the same size with
// its name, so that nothing moves while one scrolls, and the browser's own search finds it.

import { useSignal } from "@preact/signals";
import { type ComponentChildren, createContext, type RefObject } from "preact";
import { useContext, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { type CardPlace, type CardShape, cardStyle, PlaceContext, USUAL_HEIGHT_PX } from "./arranging";
import { cardStop } from "./cardstops";
import { LAYER } from "./layers";
import { useView } from "./view";

/** The place of a card in the window: its frame reports where it is and how large. */
interface Slot {
  watch(element: HTMLElement | null): (() => void) | undefined;
  shape(shape: CardShape): void;
}

const SlotContext = createContext<Slot | null>(null);

/** Reports the element and the shape of a mounted card. */
export function useSlot(element: RefObject<HTMLElement | null>, shape: CardShape): void {
  const slot = useContext(SlotContext);
  useLayoutEffect(() => slot?.shape(shape));
  useLayoutEffect(() => slot?.watch(element.current), [slot, element]);
}

interface Size {
  readonly shape: CardShape;
  /** In CSS pixels, of a card that is as high as its content; null for one whose shape says how high it is. */
  readonly height: number | null;
}

/** Sizes of the cards of one grid, known since they were mounted. */
export class CardSizes {
  readonly #sizes = new Map<string, Size>();
  #last: Size = { shape: { sized: true, wide: false }, height: null };

  set(key: string, size: Size): void {
    this.#sizes.set(key, size);
    this.#last = size;
  }

  /** The size of a card. A card that was never mounted gets the size of the last one that was. */
  of(key: string): Size {
    return this.#sizes.get(key) ?? this.#last;
  }
}

/** The focus, and a running drag. */
const IN_USE = ":focus-within, :active, [data-dragged]";

/** An open menu or dialog, a file that is being gathered, playback, and what declares that it holds something of the user's. */
const HOLDS_IN_USE = `[aria-expanded="true"], [aria-busy="true"], ${LAYER}, .tbwidget-play[aria-pressed="true"], [data-stays]`;

/** Whether unmounting a card would take something from the user. */
function isInUse(card: Element): boolean {
  return card.matches(IN_USE) || card.querySelector(HOLDS_IN_USE) !== null;
}

interface Props {
  readonly place: CardPlace;
  readonly sizes: CardSizes;
  readonly panel: string;
  readonly tags: readonly string[];
  readonly isSeveral: boolean;
  readonly label: string;
  readonly title: string;
  /** Whether it is mounted before anything is measured. */
  readonly first: boolean;
  /** The card. */
  readonly children: () => ComponentChildren;
}

export function WindowedCard({ place, sizes, first, children, ...named }: Props) {
  const { visibility } = useView();
  const isMounted = useSignal(first);
  const focuses = useRef(false);
  const { key } = place;
  const slot = useMemo<Slot>(() => {
    let shape: CardShape | null = null;
    return {
      shape: (now) => {
        shape = now;
      },
      watch: (element) => {
        if (element === null) {
          return;
        }
        if (focuses.current) {
          focuses.current = false;
          element.focus({ preventScroll: true });
        }
        return visibility.watchWindow(element, (near) => {
          if (near || isInUse(element)) {
            return near;
          }
          if (shape !== null) {
            sizes.set(key, { shape, height: shape.sized ? null : element.offsetHeight });
          }
          isMounted.value = false;
          return true;
        });
      },
    };
  }, [visibility, isMounted, sizes, key]);
  return (
    <PlaceContext.Provider value={place}>
      {isMounted.value ? (
        <SlotContext.Provider value={slot}>{children()}</SlotContext.Provider>
      ) : (
        <Placeholder
          {...named}
          place={place}
          size={sizes.of(key)}
          mount={(focused) => {
            focuses.current = focused;
            isMounted.value = true;
          }}
        />
      )}
    </PlaceContext.Provider>
  );
}

interface PlaceholderProps extends Omit<Props, "sizes" | "first" | "children"> {
  readonly size: Size;
  /** `focused`: it has the focus, which the card takes. */
  mount(focused: boolean): void;
}

function Placeholder({ place, size, panel, tags, isSeveral, label, title, mount }: PlaceholderProps) {
  const { visibility } = useView();
  const element = useRef<HTMLElement>(null);
  const mounts = useRef(mount);
  mounts.current = mount;
  useLayoutEffect(() => {
    const own = element.current;
    return own === null
      ? undefined
      : visibility.watchWindow(own, (near) => {
          if (near) {
            mounts.current(false);
          }
          return true;
        });
  }, [visibility]);
  const { shape, height } = size;
  const own = shape.sized ? {} : { height: `${height ?? USUAL_HEIGHT_PX}px` };
  return (
    <article
      ref={element}
      class="tbwidget-card"
      data-placeholder=""
      data-panel={panel}
      data-tag={tags[0]}
      data-tags={isSeveral ? JSON.stringify(tags) : undefined}
      data-key={place.key}
      data-pinned={place.pinned ? "" : undefined}
      data-joins={place.joins ? "" : undefined}
      data-wide={shape.wide ? "" : undefined}
      style={{ ...cardStyle(shape, place), ...own }}
      aria-label={title}
      {...{ ...cardStop(true), onFocus: () => mount(true) }}
    >
      <header class="tbwidget-card-header">
        <h4 title={title}>{label}</h4>
      </header>
    </article>
  );
}
