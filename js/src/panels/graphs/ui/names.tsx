// Names of nodes and scopes: where they may break, and lists of them that lead there.

import { useSignal } from "@preact/signals";
import { Fragment } from "preact";
import { formatCount } from "../../../lib/format";
import type { Partner } from "../about";
import { graphTexts } from "../texts";

/** A path, which may break behind each scope. */
export function PathName({ path }: { readonly path: string }) {
  return (
    <bdi>
      {path.split(/(?<=\/)/).map((part, i) => (
        <Fragment key={i}>
          {part}
          <wbr />
        </Fragment>
      ))}
    </bdi>
  );
}

interface MoreProps {
  /** Entries that are not shown. */
  readonly count: number;
  readonly isDisabled?: boolean;
  show(): void;
}

/** The end of a list that has more entries than it shows: a button that shows more of them. */
export function AndMore({ count, isDisabled = false, show }: MoreProps) {
  return (
    count > 0 && (
      <li>
        <button type="button" class="tbwidget-link" disabled={isDisabled} onClick={show}>
          {graphTexts().andMore(formatCount(count))}
        </button>
      </li>
    )
  );
}

/** Entries that a list shows at first. */
const MAX_LISTED = 20;

interface Props {
  title(n: string): string;
  readonly partners: readonly Partner[];
  readonly open?: boolean;
  go(entry: number): void;
}

/** Names with what leads from them or to them; a click goes there. */
export function Listed({ title, partners, open = false, go }: Props) {
  const most = useSignal(MAX_LISTED);
  const more = partners.length - most.value;
  return (
    partners.length > 0 && (
      <details open={open}>
        <summary>{title(formatCount(partners.length))}</summary>
        <ul>
          {partners.slice(0, most.value).map((partner, i) => (
            <li key={i}>
              {partner.entry >= 0 ? (
                <button type="button" class="tbwidget-link" title={partner.name} onClick={() => go(partner.entry)}>
                  <PathName path={partner.name} />
                </button>
              ) : (
                <PathName path={partner.name} />
              )}
              {partner.detail !== "" && <span class="tbwidget-quiet"> {partner.detail}</span>}
            </li>
          ))}
          <AndMore
            count={more}
            show={() => {
              most.value += 10 * MAX_LISTED;
            }}
          />
        </ul>
      </details>
    )
  );
}
