// Helpers that tables of actions are written with: choices among the values of an option, and options made from others.

import type { Signal } from "@preact/signals";
import type { Option } from "../options/declare";
import type { Choice } from "./actions";
import type { View } from "./view";

/** The value of a choice that stands for none. */
export const NONE = "none";

interface Among<T extends string>
  extends Omit<Choice, "kind" | "values" | "nameOf" | "hintOf" | "chosen" | "choose" | "barred"> {
  readonly values: readonly T[];
  readonly names: () => Readonly<Record<T, string>>;
  readonly hints?: () => Readonly<Record<T, string>>;
  option(view: View): Option<T>;
  /** Why none of them can be chosen now. */
  barred?(view: View): string | undefined;
}

/** A choice among the values of an option. */
export function choiceAmong<T extends string>({ values, names, hints, option, ...base }: Among<T>): Choice {
  return {
    ...base,
    kind: "choice",
    values: () => values,
    nameOf: (value) => names()[value as T],
    ...(hints && { hintOf: (value: string) => hints()[value as T] }),
    chosen: (view) => option(view).value,
    choose: (view, value) => {
      const known = values.find((one) => one === value);
      if (known !== undefined) {
        option(view).set(known);
      }
    },
  };
}

/** An option that may be null, as one of texts. */
export function orNone<T extends string>(option: Option<T | null>): Option<T | typeof NONE> {
  return {
    get value() {
      return option.value ?? NONE;
    },
    peek: () => option.peek() ?? NONE,
    set: (value) => option.set(value === NONE ? null : (value as T)),
  };
}

/** Before a name, so that none is mistaken for no name. */
const NAME = "=";

interface AmongNames
  extends Omit<Choice, "kind" | "values" | "nameOf" | "hintOf" | "chosen" | "choose" | "barred" | "isList"> {
  names(view: View): readonly string[];
  /** The entry for no name. */
  none(): string;
  option(view: View): Pick<Option<string | null>, "value" | "set">;
}

/** A choice of one name, which may be any text, or none. */
export function choiceOfName({ names, none, option, ...base }: AmongNames): Choice {
  return {
    ...base,
    kind: "choice",
    isList: true,
    values: (view) => {
      const chosen = option(view).value;
      const offered = names(view);
      const all = chosen === null || offered.includes(chosen) ? offered : [chosen, ...offered];
      return [NONE, ...all.map((name) => NAME + name)];
    },
    nameOf: (value) => (value === NONE ? none() : value.slice(NAME.length)),
    chosen: (view) => {
      const name = option(view).value;
      return name === null ? NONE : NAME + name;
    },
    choose: (view, value) => option(view).set(value === NONE ? null : value.slice(NAME.length)),
  };
}

/** A state of this view alone, as an option. */
export function switchOf(held: Signal<boolean>): Option<boolean> {
  return {
    get value() {
      return held.value;
    },
    peek: () => held.peek(),
    set: (on) => {
      held.value = on;
    },
  };
}
