// What was logged and has no tab: each kind with the Python that reads it.

import { strings } from "../lib/strings";

interface Props {
  /** Kinds that have data and no panel. */
  readonly kinds: readonly string[];
}

export function Undrawn({ kinds }: Props) {
  if (kinds.length === 0) {
    return null;
  }
  const names: Readonly<Record<string, string>> = strings.kinds;
  const readers: Readonly<Record<string, string>> = strings.undrawn.readers;
  const code = kinds.map((kind) => readers[kind]).filter((one) => one !== undefined);
  return (
    <p class="tbwidget-hint tbwidget-undrawn">
      <span>{strings.undrawn.kinds(kinds.map((kind) => names[kind] ?? kind))}</span>
      {code.length > 0 && (
        <span title={strings.undrawn.logsHint}>
          {strings.undrawn.inPython}{" "}
          {code.map((one) => (
            <code key={one}>{one}</code>
          ))}
        </span>
      )}
    </p>
  );
}
