// The button in the header that counts problems, and the list of them.

import { formatCount } from "../lib/format";
import { listOf } from "../lib/texts";
import { useView } from "../ui/view";
import { dashboardTexts } from "./texts";

interface ButtonProps {
  readonly isOpen: boolean;
  toggle(): void;
}

export function ProblemsButton({ isOpen, toggle }: ButtonProps) {
  const { channel, widthClass } = useView();
  const { problems: count = 0, leftOut = 0 } = channel.store.status.value ?? {};
  const name = problemsName(count, leftOut);
  return name === "" ? null : (
    <button
      type="button"
      class="tbwidget-problems-button"
      title={name}
      aria-label={name}
      aria-expanded={isOpen}
      onClick={toggle}
    >
      {widthClass.value === "narrow" ? formatCount(count + leftOut) : name}
    </button>
  );
}

/** Label of the button that opens the list. */
export function problemsName(count: number, leftOut: number): string {
  const problems = count > 0 ? [dashboardTexts().problemCount(count, formatCount(count))] : [];
  return listOf([...problems, ...(leftOut > 0 ? [dashboardTexts().leftOutShort(formatCount(leftOut))] : [])]);
}

export function Problems() {
  const { store } = useView().channel;
  const listed = store.problems.value;
  const { problems: count = 0, leftOut = 0 } = store.status.value ?? {};
  return count + leftOut === 0 ? null : (
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
