// Points that a restart has left behind.

import { formatCount } from "../lib/format";
import { strings } from "../lib/strings";

/** How many points of some series are left out of the drawing, if any. */
export function Superseded({ by }: { readonly by: readonly { readonly superseded: number }[] }) {
  const count = by.reduce((sum, { superseded }) => sum + superseded, 0);
  return (
    count > 0 && (
      <abbr title={strings.supersededHint(formatCount(count))}>{strings.superseded(formatCount(count))}</abbr>
    )
  );
}
