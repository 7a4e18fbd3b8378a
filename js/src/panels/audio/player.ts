// Plays one clip at a time: a view has one audio element, and of all views of the page one sounds.

import { type ReadonlySignal, signal } from "@preact/signals";
import type { Clip } from "./codec";
import { audioTexts } from "./texts";

/** Places that are remembered. */
const MOST_PLACES = 500;

let sounding: Player | null = null;

export class Player {
  /** The clip that was played last; null before any was. */
  readonly #key = signal<string | null>(null);
  readonly #playing = signal(false);
  /** Seconds, of the clip that was played last. */
  readonly #time = signal(0);
  readonly #duration = signal<number | null>(null);
  readonly #problem = signal<string | null>(null);
  /** Seconds at which the others begin; another object whenever one of them changes. */
  readonly #places = signal<ReadonlyMap<string, number>>(new Map());
  /** By key: how many rows show a clip. */
  readonly #shown = new Map<string, number>();
  #element: HTMLAudioElement | null = null;
  #url: string | null = null;
  #frame = 0;

  get key(): ReadonlySignal<string | null> {
    return this.#key;
  }

  /** Whether a clip sounds. Subscribes, like what follows. */
  isPlaying(key: string): boolean {
    return this.#key.value === key && this.#playing.value;
  }

  /** Whether a clip was played last. */
  wasPlayed(key: string): boolean {
    return this.#key.value === key;
  }

  /** Where a clip is, or would begin, in seconds. */
  timeOf(key: string): number {
    return this.#key.value === key ? this.#time.value : (this.#places.value.get(key) ?? 0);
  }

  /** How long a clip lasts, in seconds, once it is known from playing it. */
  durationOf(key: string): number | undefined {
    return this.#key.value === key ? (this.#duration.value ?? undefined) : undefined;
  }

  /** Why a clip cannot be played; null where nothing is known against it. */
  problemOf(key: string): string | null {
    return this.#key.value === key ? this.#problem.value : null;
  }

  /** Plays through this element, until it is null. */
  attach(element: HTMLAudioElement | null): void {
    if (element === null) {
      this.pause();
      this.#unload();
      if (sounding === this) {
        sounding = null;
      }
    }
    this.#element = element;
  }

  async play(key: string, clip: Clip): Promise<void> {
    const element = this.#element;
    if (element === null) {
      return;
    }
    if (sounding !== this) {
      sounding?.pause();
      sounding = this;
    }
    if (this.#key.peek() !== key) {
      const begin = this.timeOf(key);
      this.#remember();
      this.#unload();
      this.#url = URL.createObjectURL(new Blob([clip.data], { type: clip.type }));
      element.src = this.#url;
      element.currentTime = begin;
      this.#key.value = key;
      this.#time.value = begin;
    }
    this.#problem.value = null;
    const begun = element.play();
    // The element reports it later; another clip is not to take this one's place in between.
    this.#update();
    try {
      await begun;
    } catch (error) {
      // Another clip was played, or this one paused, before it began.
      if (!(error instanceof DOMException && error.name === "AbortError") && this.#key.peek() === key) {
        this.#refuse();
      }
    }
  }

  pause(): void {
    this.#element?.pause();
  }

  /** A clip is shown, until the function that is returned is called: then it is paused, unless it is shown elsewhere. */
  show(key: string): () => void {
    const add = (count: number) => this.#shown.set(key, (this.#shown.get(key) ?? 0) + count).get(key);
    add(1);
    return () => {
      add(-1);
      // A card that is pinned is made anew, and shows it then.
      setTimeout(() => {
        if (add(0) === 0) {
          this.#shown.delete(key);
          if (this.#key.peek() === key) {
            this.pause();
          }
        }
      });
    };
  }

  /** Goes to a time of a clip, in seconds, whether it sounds or not. */
  seek(key: string, time: number): void {
    if (this.#key.peek() === key && this.#element !== null) {
      this.#element.currentTime = time;
      this.#time.value = time;
    } else {
      this.#place(key, time);
    }
  }

  /** Listeners of the element. */
  readonly events = {
    onPlay: () => this.#update(),
    onPause: () => this.#update(),
    onEnded: () => {
      this.#update();
      this.#time.value = 0;
      if (this.#element !== null) {
        this.#element.currentTime = 0;
      }
    },
    onDurationChange: () => {
      const { duration } = this.#element ?? {};
      this.#duration.value = duration !== undefined && Number.isFinite(duration) ? duration : null;
    },
    onError: () => {
      if (this.#url !== null) {
        this.#refuse();
      }
    },
  };

  /** As the element is now: an event may report an older state. */
  #update(): void {
    this.#playing.value = this.#element?.paused === false;
    this.#follow();
  }

  #follow(): void {
    cancelAnimationFrame(this.#frame);
    this.#time.value = this.#element?.currentTime ?? 0;
    if (this.#playing.peek()) {
      this.#frame = requestAnimationFrame(() => this.#follow());
    }
  }

  #refuse(): void {
    this.pause();
    this.#update();
    this.#problem.value = audioTexts().unplayable;
  }

  #remember(): void {
    const key = this.#key.peek();
    if (key !== null) {
      this.#place(key, this.#time.peek());
    }
  }

  #place(key: string, time: number): void {
    const places = new Map(this.#places.peek());
    places.delete(key);
    places.set(key, time);
    const [oldest] = places.keys();
    if (places.size > MOST_PLACES && oldest !== undefined) {
      places.delete(oldest);
    }
    this.#places.value = places;
  }

  #unload(): void {
    cancelAnimationFrame(this.#frame);
    this.#playing.value = false;
    this.#key.value = null;
    if (this.#url !== null) {
      URL.revokeObjectURL(this.#url);
      this.#url = null;
      this.#element?.removeAttribute("src");
    }
  }
}
