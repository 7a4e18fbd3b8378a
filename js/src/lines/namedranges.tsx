// The names of ranges of steps, in the table of values: of the selected one, and the list of all.

import { useRef } from "preact/hooks";
import { formatCount, formatRange } from "../lib/format";
import { isolated } from "../lib/texts";
import {
  isRangeName,
  MAX_NAMED_RANGES,
  MAX_RANGE_NAME_CHARACTERS,
  type NamedRange,
  namedRangeOptions,
  rangeOf,
  renamed,
} from "../options/namedranges";
import { isSameRange, type StepRange } from "../options/shared";
import { useRoving } from "../ui/roving";
import { TextEntry } from "../ui/stepentry";
import { useOptions } from "../ui/view";
import { compareOptions } from "./options";
import { compareTexts } from "./texts";
import "./namedranges.css";

/** A box for the name of the selected steps. */
export function RangeName({ steps }: { readonly steps: StepRange }) {
  const { named_ranges } = useOptions(namedRangeOptions);
  const ranges = named_ranges.value;
  const known = rangeOf(ranges, steps);
  const isFull = known === undefined && ranges.length >= MAX_NAMED_RANGES;
  return (
    <span class="tbwidget-naming">
      <TextEntry
        shown={known?.name ?? ""}
        aria-label={compareTexts().rangeName}
        title={isFull ? compareTexts().tooManyRanges(MAX_NAMED_RANGES) : compareTexts().rangeNameHint}
        placeholder={compareTexts().rangeNamePlaceholder}
        disabled={isFull}
        maxLength={MAX_RANGE_NAME_CHARACTERS}
        take={(name) => {
          if ((name.trim() === "" || isRangeName(name)) && name !== known?.name) {
            named_ranges.set(renamed(ranges, steps, name));
          }
        }}
      />
      {known !== undefined && (
        <button type="button" class="tbwidget-link" onClick={() => named_ranges.set(renamed(ranges, steps, ""))}>
          {compareTexts().removeRange}
        </button>
      )}
    </span>
  );
}

/** The named ranges; a click selects the steps of one. */
export function NamedRanges() {
  const { named_ranges } = useOptions(namedRangeOptions);
  return named_ranges.value.length === 0 ? null : <RangeList ranges={named_ranges.value} />;
}

function RangeList({ ranges }: { readonly ranges: readonly NamedRange[] }) {
  const { selected_steps } = useOptions(compareOptions);
  const list = useRef<HTMLDivElement>(null);
  useRoving(list);
  return (
    // One row of controls, which arrow keys go along.
    <div ref={list}>
      <ul class="tbwidget-ranges" aria-label={compareTexts().rangesName}>
        {ranges.map(({ name, steps }, i) => {
          const isSelected = isSameRange(selected_steps.value, steps);
          const ends = [...new Set(steps.map(formatCount))] as [string, string?];
          return (
            <li key={i}>
              <button
                type="button"
                tabIndex={-1}
                aria-pressed={isSelected}
                title={compareTexts().selectRange(isolated(name))}
                onClick={() => selected_steps.set(isSelected ? null : steps)}
              >
                <bdi>{name}</bdi> <small>{formatRange(...ends)}</small>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
