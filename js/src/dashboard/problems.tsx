// What could not be read.

import { formatCount } from "../lib/format";
import { listOf } from "../lib/texts";
import { useView } from "../ui/view";
import { dashboardTexts } from "./texts";

/** What the button says that opens the list. */
export function problemsName(count: number, leftOut: number): string {
  const problems = count > 0 ? [dashboardTexts().problemCount(count, formatCount(count))] : [];
  return listOf([...problems, ...(leftOut > 0 ? [dashboardTexts().leftOutShort(formatCount(leftOut))] : [])]);
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
          {offset !== null && <span class="tbwidget-quiet"> {dashboardTexts().atByte(offset)}</span>}: {message}
        </li>
      ))}
      {count > listed.length && (
        <li class="tbwidget-quiet">{dashboardTexts().moreProblems(formatCount(count - listed.length))}</li>
      )}
      {leftOut > 0 && <li class="tbwidget-quiet">{dashboardTexts().leftOut(leftOut, formatCount(leftOut))}</li>}
    </ul>
  );
}
