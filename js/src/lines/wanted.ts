// What cards need beside their own tags.

import { useEffect } from "preact/hooks";
import type { View } from "../ui/view";
import { tagAlongX } from "./lines";

/** While a panel is shown, the tag that its cards stand along is requested in full, as if it was in sight. */
export function useTagAlongX(view: View): void {
  const along = tagAlongX(view);
  useEffect(() => {
    view.wanted.value = along === null ? [] : [along];
    return () => {
      view.wanted.value = [];
    };
  }, [view, along]);
}
