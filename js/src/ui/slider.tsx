// A slider, as all panels have it.

interface SliderProps {
  readonly min: number;
  readonly max: number;
  readonly value: number;
  readonly step?: number | "any";
  readonly disabled?: boolean | undefined;
  readonly "aria-label"?: string;
  readonly "aria-description"?: string | undefined;
  readonly "aria-valuetext"?: string | undefined;
  /** It stands for no value, wherever its thumb is. */
  readonly "data-free"?: "" | undefined;
  onDblClick?(): void;
  /** Whether a key has an effect, which replaces the browser's own. */
  pressed?(key: KeyboardEvent): boolean;
  choose(value: number): void;
}

/** Its track is filled up to the value. JupyterLab would take the arrow keys for its own. */
export function Slider({ pressed, choose, ...others }: SliderProps) {
  const { min, max, value } = others;
  return (
    <input
      type="range"
      data-lm-suppress-shortcuts="true"
      {...others}
      style={{ "--tbwidget-part": `${max > min ? (100 * (value - min)) / (max - min) : 100}%` }}
      onInput={({ currentTarget }) => choose(currentTarget.valueAsNumber)}
      onKeyDown={(event) => {
        if (pressed?.(event)) {
          event.preventDefault();
        }
      }}
    />
  );
}
