// What is shown while there is nothing to show: why, and what is being waited for.

import { formatCount } from "../lib/format";
import { strings } from "../lib/strings";
import { useView } from "../ui/view";
import type { State } from "./state";

export function Waiting({ state }: { readonly state: State }) {
  const { store } = useView().channel;
  const status = store.status.value;
  if (state === "reading" || status === null) {
    return (
      <div class="tbwidget-skeleton" aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
    );
  }
  const { emptyFiles } = status;
  // Kinds that no panel draws are data too.
  if (emptyFiles > 0 && status.kinds.length === 0) {
    return (
      <div class="tbwidget-waiting">
        <h4>{strings.emptyFiles(emptyFiles, formatCount(emptyFiles))}</h4>
        <code>{status.path}</code>
        <p>
          {strings.heldBack.split("`").map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}
        </p>
      </div>
    );
  }
  // Remote storage may refuse to say what is there.
  const refused = status.exists ? undefined : store.problems.value.find(({ path }) => path === ".");
  const missing = refused === undefined ? strings.noDirectory : strings.unreadableDirectory;
  return (
    <div class="tbwidget-waiting">
      <h4>{status.exists ? strings.noData : missing}</h4>
      <code>{status.path}</code>
      <p>{refused?.message ?? strings.lookedFor}</p>
    </div>
  );
}
