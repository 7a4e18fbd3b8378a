// The button in the header that counts problems, and the list of them.

import { formatCount } from "../lib/format";
import { listOf } from "../lib/texts";
import { Popover, PopoverHead } from "../ui/popover";
import { useView } from "../ui/view";
import type { Problem } from "../wire/protocol";
import { dashboardTexts } from "./texts";

export function ProblemsMenu() {
  const { channel, widthClass } = useView();
  const { problems: count = 0, leftOut = 0 } = channel.store.status.value ?? {};
  const name = problemsName(count, leftOut);
  return name === "" ? null : (
    <Popover
      class="tbwidget-problems-button"
      label={widthClass.value === "narrow" ? formatCount(count + leftOut) : name}
      title={name}
      name={name}
    >
      {(close) => (
        <>
          <PopoverHead title={name} close={close} />
          <Problems />
        </>
      )}
    </Popover>
  );
}

/** Label of the button that opens the list. */
export function problemsName(count: number, leftOut: number): string {
  const problems = count > 0 ? [dashboardTexts().problemCount(count, formatCount(count))] : [];
  return listOf([...problems, ...(leftOut > 0 ? [dashboardTexts().leftOutShort(formatCount(leftOut))] : [])]);
}

/** The problems of each file, which is named once. */
export function byPath(problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  const files = new Map<string, Problem[]>();
  for (const problem of problems) {
    files.set(problem.path, [...(files.get(problem.path) ?? []), problem]);
  }
  return files;
}

function Problems() {
  const { store } = useView().channel;
  const listed = store.problems.value;
  const { problems: count = 0, leftOut = 0 } = store.status.value ?? {};
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
    <ul class="tbwidget-problems" tabIndex={0}>
      {[...byPath(listed)].map(([path, problems]) => (
        <li key={path}>
          {/* It is rather broken between directories. */}
          <b>{path.split("/").flatMap((part, i) => (i === 0 ? [part] : ["/", <wbr key={i} />, part]))}</b>
          <ul>
            {problems.map(({ offset, message }) => (
              <li key={`${offset}\n${message}`}>
                {offset !== null && <span class="tbwidget-quiet">{dashboardTexts().atByte(offset)}: </span>}
                {message}
              </li>
            ))}
          </ul>
        </li>
      ))}
      {count > listed.length && (
        <li class="tbwidget-quiet">{dashboardTexts().moreProblems(formatCount(count - listed.length))}</li>
      )}
      {leftOut > 0 && <li class="tbwidget-quiet">{dashboardTexts().leftOut(leftOut, formatCount(leftOut))}</li>}
    </ul>
  );
}
