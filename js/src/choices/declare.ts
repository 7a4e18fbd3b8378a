// How panels and the shell declare the user's choices: each is a trait of the widget in Python, under the same name.

/** How a choice is read from a trait or from what this browser remembers, and written there. */
export interface ChoiceSpec<T> {
  readonly initial: T;
  /** Undefined for a value that makes no sense: then nothing changes. */
  parse(value: unknown): T | undefined;
  /** The value for the trait; by default the value itself. */
  serialize?(value: T): unknown;
  /** Whether the browser restores it when the cell is run again. */
  readonly remembered: boolean;
}

/** Choices by the names of their traits. */
export type ChoiceTable = Readonly<Record<string, ChoiceSpec<unknown>>>;

/** One choice of one widget. */
export interface Choice<T> {
  /** Reading it within a component or an effect subscribes to it. */
  readonly value: T;
  peek(): T;
  /** Makes the choice: it is sent to Python and remembered. */
  set(value: T): void;
}

export type ChoicesOf<C extends ChoiceTable> = {
  readonly [K in keyof C]: C[K] extends ChoiceSpec<infer T> ? Choice<T> : never;
};

/** Returns the table, typed. Panels that share a choice share its table. */
export function defineChoices<C extends ChoiceTable>(table: C): C {
  return table;
}

export function oneOf<T extends string>(options: readonly T[], initial: T): ChoiceSpec<T> {
  return { initial, remembered: true, parse: (value) => options.find((option) => option === value) };
}

export function oneOfOrNull<T extends string>(options: readonly T[], initial: T | null): ChoiceSpec<T | null> {
  return {
    initial,
    remembered: true,
    parse: (value) => (value === null ? null : options.find((one) => one === value)),
  };
}

export function flag(initial: boolean): ChoiceSpec<boolean> {
  return { initial, remembered: true, parse: (value) => (typeof value === "boolean" ? value : undefined) };
}

/** A number from `least` to `most`. */
export function numberFrom(least: number, most: number, initial: number): ChoiceSpec<number> {
  return {
    initial,
    remembered: true,
    parse: (value) => (typeof value === "number" && value >= least && value <= most ? value : undefined),
  };
}

export function textOrNull(): ChoiceSpec<string | null> {
  return {
    initial: null,
    remembered: true,
    parse: (value) => (value === null || typeof value === "string" ? value : undefined),
  };
}

/** A list of names, each of them once. */
export function nameList(): ChoiceSpec<readonly string[]> {
  return { initial: [], remembered: true, parse: (value) => parseNames(value) };
}

export function namesOrNull(): ChoiceSpec<readonly string[] | null> {
  return { initial: null, remembered: true, parse: (value) => (value === null ? null : parseNames(value)) };
}

/** Names without an order. */
export function nameSet(): ChoiceSpec<ReadonlySet<string>> {
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

/** The same choice, not remembered. */
export function notStored<T>(spec: ChoiceSpec<T>): ChoiceSpec<T> {
  return { ...spec, remembered: false };
}

/** Adds a name, or removes it where it is there already. */
export function toggle(choice: Choice<ReadonlySet<string>>, name: string): void {
  const names = new Set(choice.peek());
  if (!names.delete(name)) {
    names.add(name);
  }
  choice.set(names);
}

/** Each name once; undefined for what is no list. */
export function parseNames(value: unknown): string[] | undefined {
  return Array.isArray(value) ? [...new Set(value.map(String))] : undefined;
}
