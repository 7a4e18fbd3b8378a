// The events that a drawn graph reports to the code that put it into the page.

import type { Covered } from "./camera";
import type { Hit } from "./hit";
import type { Shown } from "./prepared";

export interface StageEvents {
  /** A box by its path; null for none. */
  selected(path: string | null): void;
  /** A node that is drawn as a mark, by its number. */
  nodeSelected(node: number): void;
  toggled(path: string): void;
  /** A menu is asked for, at a place in the window. */
  menu(path: string | null, left: number, top: number): void;
  /** What the pointer is on now, at a place in the window. */
  hovered(shown: Shown, hit: Hit, left: number, top: number): void;
  /** The user wants to search. */
  search(): void;
  covered(): Covered;
}
