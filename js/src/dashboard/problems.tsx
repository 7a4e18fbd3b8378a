// The list of problems: files and records that could not be read.

import { formatCount } from "../lib/format";
import { strings } from "../lib/strings";
import { useView } from "../ui/view";

/** Label of the button that opens the list. */
export function problemsName(count: number, leftOut: number): string {
  const problems = count > 0 ? [strings.problemCount(count, formatCount(count))] : [];
  return strings.list([...problems, ...(leftOut > 0 ? [strings.leftOutShort(formatCount(leftOut))] : [])]);
}

export function Problems({ count }: { readonly count: number }) {
  const { store } = useView().channel;
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
      {leftOut > 0 && <li class="tbwidget-quiet">{strings.leftOut(leftOut, formatCount(leftOut))}</li>}
    </ul>
  );
}
