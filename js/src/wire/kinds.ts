// The kinds of series that there are. Keep in step with KINDS in tbwidget/panels/kinds.py.

import { ProtocolError } from "./columns";
import { histograms } from "./histograms";
import type { Kind, Named, Versioned } from "./kind";
import { scalars } from "./scalars";

export const KINDS = { scalars, histograms };

/** A kind of which only the name is known: a series, or a part, is of the kind that it comes with. */
export type AnyKind = Kind<Versioned, Named, Named & { readonly revision: number }>;

/** Throws ProtocolError for one that is not known. */
export function waysOf(kind: string): AnyKind {
  if (Object.hasOwn(KINDS, kind)) {
    return KINDS[kind as keyof typeof KINDS] as unknown as AnyKind;
  }
  throw new ProtocolError(`a series of kind ${kind}`);
}
