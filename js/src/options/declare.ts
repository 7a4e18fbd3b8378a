// How panels and the shell declare the user's options: each is a trait of the widget in Python, under the same name.

/** How an option is read from a trait or from what this browser remembers, and written there. */
export interface OptionSpec<T> {
  readonly initial: T;
  /** Undefined for a value that makes no sense: then nothing changes. */
  parse(value: unknown): T | undefined;
  /** The value for the trait; by default the value itself. */
  serialize?(value: T): unknown;
  /** The value as Python's own code would give it, where that is not the one for the trait; undefined: left out. */
  forPython?(value: T): unknown;
  /** Whether the browser restores it when the cell is run again. */
  readonly remembered: boolean;
}

/** Options by the names of their traits. */
export type OptionTable = Readonly<Record<string, OptionSpec<unknown>>>;

/** One option of one widget. */
export interface Option<T> {
  /** Reading it within a component or an effect subscribes to it. */
  readonly value: T;
  peek(): T;
  /** Sets the option: it is sent to Python and remembered. */
  set(value: T): void;
}

export type OptionsOf<C extends OptionTable> = {
  readonly [K in keyof C]: C[K] extends OptionSpec<infer T> ? Option<T> : never;
};

/** Returns the table, typed. Panels that share an option share its table. */
export function defineOptions<C extends OptionTable>(table: C): C {
  return table;
}

export function oneOf<T extends string>(options: readonly T[], initial: T): OptionSpec<T> {
  return { initial, remembered: true, parse: (value) => options.find((option) => option === value) };
}

export function oneOfOrNull<T extends string>(options: readonly T[], initial: T | null): OptionSpec<T | null> {
  return {
    initial,
    remembered: true,
    parse: (value) => (value === null ? null : options.find((one) => one === value)),
  };
}

export function flag(initial: boolean): OptionSpec<boolean> {
  return { initial, remembered: true, parse: (value) => (typeof value === "boolean" ? value : undefined) };
}

/** A number from `least` to `most`. */
export function numberFrom(least: number, most: number, initial: number): OptionSpec<number> {
  return {
    initial,
    remembered: true,
    parse: (value) => (typeof value === "number" && value >= least && value <= most ? value : undefined),
  };
}

export function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
}

/** A whole number from `least` to `most`: an Int in Python, which refuses any other. */
export function wholeFrom(least: number, most: number, initial: number): OptionSpec<number> {
  return { initial, remembered: true, parse: (value) => (isWhole(value, least, most) ? value : undefined) };
}

export function wholeOrNull(least: number, most: number): OptionSpec<number | null> {
  return {
    initial: null,
    remembered: true,
    parse: (value) => (value === null || isWhole(value, least, most) ? value : undefined),
  };
}

export function textOrNull(): OptionSpec<string | null> {
  return {
    initial: null,
    remembered: true,
    parse: (value) => (value === null || typeof value === "string" ? value : undefined),
  };
}

/** A list of names, each of them once. */
export function nameList(): OptionSpec<readonly string[]> {
  return { initial: [], remembered: true, parse: (value) => parseNames(value) };
}

export function namesOrNull(): OptionSpec<readonly string[] | null> {
  return { initial: null, remembered: true, parse: (value) => (value === null ? null : parseNames(value)) };
}

/** Names without an order. */
export function nameSet(): OptionSpec<ReadonlySet<string>> {
  return {
    initial: new Set(),
    remembered: true,
    parse: (value) => {
      const names = parseNames(value);
      return names && new Set(names);
    },
    serialize: (names) => [...names],
  };
}

/** Names without an order, or null for the automatic choice. */
export function nameSetOrNull(): OptionSpec<ReadonlySet<string> | null> {
  return {
    initial: null,
    remembered: true,
    parse: (value) => {
      const names = value === null ? null : parseNames(value);
      return names && new Set(names);
    },
    serialize: (names) => names && [...names],
  };
}

/** The same option, not remembered. */
export function notStored<T>(spec: OptionSpec<T>): OptionSpec<T> {
  return { ...spec, remembered: false };
}

/** Adds a name, or removes it if the option has it. */
export function toggle(option: Option<ReadonlySet<string>>, name: string): void {
  const names = new Set(option.peek());
  if (!names.delete(name)) {
    names.add(name);
  }
  option.set(names);
}

/** Each name once; undefined for anything but a list. */
export function parseNames(value: unknown): string[] | undefined {
  return Array.isArray(value) ? [...new Set(value.map(String))] : undefined;
}
