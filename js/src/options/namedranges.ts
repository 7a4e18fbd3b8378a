// Ranges of steps that have names. Twin of `NamedRanges` in tbwidget/options/traits.py.

import { defineOptions, type OptionSpec } from "./declare";
import { type ExactStep, isSameRange, parseExactStep, type StepRange, serializeStep } from "./shared";

export interface NamedRange {
  readonly name: string;
  readonly steps: StepRange;
}

export const MAX_NAMED_RANGES = 100;
export const MAX_RANGE_NAME_CHARACTERS = 80;

/** Whether a text can be the name of a range: one line that is not blank. */
export function isRangeName(text: string): boolean {
  return text.trim() !== "" && !/\p{Cc}/u.test(text) && [...text].length <= MAX_RANGE_NAME_CHARACTERS;
}

const has64Bits = (step: ExactStep) => BigInt.asIntN(64, BigInt(step)) === BigInt(step);

function parseRange(value: unknown): NamedRange | undefined {
  if (!Array.isArray(value) || value.length !== 3) {
    return undefined;
  }
  const name: unknown = value[0];
  const [first, last] = [parseExactStep(value[1]), parseExactStep(value[2])];
  const isRange = first !== undefined && last !== undefined && first <= last && has64Bits(first) && has64Bits(last);
  return isRange && typeof name === "string" && isRangeName(name) ? { name, steps: [first, last] } : undefined;
}

const namedRanges: OptionSpec<readonly NamedRange[]> = {
  initial: [],
  remembered: true,
  parse: (value) => {
    if (!Array.isArray(value) || value.length > MAX_NAMED_RANGES) {
      return undefined;
    }
    const ranges = value.flatMap((one) => parseRange(one) ?? []);
    return ranges.length === value.length ? ranges : undefined;
  },
  serialize: (ranges) => ranges.map(({ name, steps }) => [name, ...steps.map(serializeStep)]),
  forPython: (ranges) => ranges.map(({ name, steps }) => [name, ...steps]),
};

/** Options of panels with an axis of steps. */
export const namedRangeOptions = defineOptions({ named_ranges: namedRanges });

/** The range of just these steps; undefined where none has a name. */
export function rangeOf(ranges: readonly NamedRange[], steps: StepRange): NamedRange | undefined {
  return ranges.find((range) => isSameRange(range.steps, steps));
}

/** These steps have another name: a new one, or none where it is blank. */
export function renamed(ranges: readonly NamedRange[], steps: StepRange, name: string): readonly NamedRange[] {
  const before = rangeOf(ranges, steps);
  const range = { name: name.trim(), steps };
  if (range.name === "") {
    return ranges.filter((one) => one !== before);
  }
  return before === undefined ? [...ranges, range] : ranges.map((one) => (one === before ? range : one));
}
