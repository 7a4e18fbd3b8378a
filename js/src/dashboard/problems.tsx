// What could not be read.

import { formatCount } from "../lib/format";
import { strings } from "../lib/strings";
import { useView } from "./view";

/** What the button says that opens the list. */
export function problemsName(count: number, leftOut: number): string {
  const problems = count > 0 ? [strings.problemCount(formatCount(count), count === 1)] : [];
  return [...problems, ...(leftOut > 0 ? [strings.leftOutShort(formatCount(leftOut))] : [])].join(", ");
}

export function Problems({ count }: { readonly count: number }) {
  const { store } = useView().session;
  const listed = store.problems.value;
  const leftOut = store.status.value?.leftOut ?? 0;
  return (
    <ul class="tbwidget-problems">
      {listed.map(({ path, offset, message }) => (
        <li key={`${path}\n${offset}\n${message}`}>
          <b>{path}</b>
          {offset !== null && <span class="tbwidget-quiet"> {strings.atByte(offset)}</span>}: {message}
        </li>
      ))}
      {count > listed.length && (
        <li class="tbwidget-quiet">{strings.moreProblems(formatCount(count - listed.length))}</li>
      )}
      {leftOut > 0 && <li class="tbwidget-quiet">{strings.leftOut(formatCount(leftOut))}</li>}
    </ul>
  );
}
