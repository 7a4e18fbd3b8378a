// A note about names that were chosen and do not exist yet: they stay chosen.

interface Props {
  readonly names: readonly string[];
  text(names: readonly string[], more: number): string;
}

/** Names that are written out; the others are counted. */
const MAX_NAMES = 3;

export function WaitsFor({ names, text }: Props) {
  return (
    names.length > 0 && (
      <p class="tbwidget-hint tbwidget-waits-for" title={names.join("\n")}>
        {text(names.slice(0, MAX_NAMES), Math.max(0, names.length - MAX_NAMES))}
      </p>
    )
  );
}
