// The entries that the palette searches: tags, runs, panels and actions, each with what choosing it does. Nothing asks the kernel.

import { computed } from "@preact/signals";
import { commonTexts } from "../../lib/commontexts";
import { formatCount } from "../../lib/format";
import { lowered, NOT_FOUND, WordQuery } from "../../lib/wordsearch";
import { toggled } from "../../options/selection";
import type { Action, Choice } from "../../ui/actions";
import { goToCard, showRun } from "../../ui/journey";
import { type Panel, titleOf } from "../../ui/panel";
import { reachable, trySoon, uncover } from "../../ui/reach";
import { parseStep } from "../../ui/stepentry";
import { uiTexts } from "../../ui/texts";
import type { View } from "../../ui/view";
import { displayName } from "../../wire/tagtexts";
import { dashboardActions, PALETTE } from "../actions";
import { dashboardTexts } from "../texts";
import { keyName } from "./keys";
import { shellOf } from "./shell";
import { commandTexts } from "./texts";
import { wordsOf } from "./words";

export type EntryKind = "panel" | "action" | "tag" | "run" | "gesture";

export interface Entry {
  /** The same in all dashboards of a page. */
  readonly id: string;
  readonly kind: EntryKind;
  readonly text: string;
  /** Beside it: the panel of a tag, the values that a number may have. */
  readonly detail?: string | undefined;
  readonly run?: string;
  /** It is one of very many names, and only a part of them is drawn. */
  readonly isOfList?: boolean;
  /** It is on or off. */
  isOn?(): boolean;
  /** It is the one of several that is chosen. */
  isChosen?(): boolean;
  /** Why it cannot be chosen now. */
  readonly barred?: string | undefined;
  /** Whether the palette stays open; else it closes first. */
  stays?(other: boolean): boolean;
  /** The box goes on with this text, and nothing else happens. */
  readonly next?: string;
  /** `other`: with Shift. */
  choose?(other: boolean): void;
}

/** Entries of one kind, made when they are drawn: there may be very many. */
interface Source {
  readonly kind: EntryKind;
  /** Entries of a lower rank come first where they match equally well. */
  readonly rank: number;
  /** The id of an entry is the prefix and its value. */
  readonly prefix: string;
  readonly values: readonly string[];
  /** The text that is searched for each value. */
  readonly texts: readonly string[];
  /** It is searched only where one of the typed words is among these. */
  readonly wanted?: string;
  /** Values that come before others that match equally well, by their order. */
  readonly near?: ReadonlyMap<string, number>;
  /** Words by which an entry is found besides its own. */
  context(i: number): string;
  entry(i: number): Entry;
}

function contextOf({ kind, id, detail = "" }: Entry): string {
  return `${commandTexts().kinds[kind]} ${wordsOf(id.replace("action ", ""))} ${detail}`;
}

/** Entries that are drawn. */
export const MAX_RESULTS = 50;

/** Added to the rank of entries that come behind others that match a little worse. */
const BEHIND = 3 * 8;

/** The rank of entries that come last, however well they match. */
const BEHIND_ALL = 256 * 8;

/** An action, and the panel that it is gone to first; null: it has an effect where one is. */
type Offer = readonly [action: Action, elsewhere: Panel | null];

const isOfNames = (action: Action): action is Choice => action.kind === "choice" && action.isList === true;

/** It exists only while its panel is shown: a control of the page, or names that the panel may have to read first. */
const isOfPage = (action: Action): boolean => action.pressesControl === true || isOfNames(action);

/** The actions that the palette offers now: first the shown panel's and the dashboard's, then the other panels'. */
function offered(view: View): Offer[] {
  const { tabs, panel, options } = view;
  const own: readonly Action[] = [...(panel.value?.actions ?? []), ...dashboardActions];
  const others = options.onlyPanel === null ? tabs.value.filter(({ name }) => name !== panel.value?.name) : [];
  const isCovered = reachable(view, ".tbwidget-main") === null;
  const offers = new Map<string, Offer>();
  for (const action of own) {
    if (action.id !== PALETTE && !(isCovered && action.isBelow === true)) {
      offers.set(action.id, [action, null]);
    }
  }
  const taken = new Set(own.map(({ id }) => id));
  for (const other of others) {
    for (const action of other.actions ?? []) {
      if (!taken.has(action.id)) {
        taken.add(action.id);
        offers.set(action.id, [action, other]);
      }
    }
  }
  return [...offers.values()].filter(
    ([action, other]) => (other !== null && isOfPage(action)) || action.applies?.(view) !== false,
  );
}

/** All entries of one view. Follows what it reads. `near`: by name, the order of those that come before others in a list of names. */
export function sourcesOf(view: View, near: ReadonlyMap<string, number> = new Map()): readonly Source[] {
  const panels = view.options.onlyPanel === null ? view.tabs.value : [];
  const own: Entry[] = [];
  const lists: Source[] = [];
  const others: Entry[] = [];
  const later: Entry[] = [];
  for (const [action, panel] of offered(view)) {
    if (panel === null) {
      if (isOfNames(action)) {
        lists.push(namesOf(action, view, near));
      } else {
        own.push(...entriesOf(action, view));
      }
    } else if (isOfPage(action)) {
      later.push(laterEntry(action, panel, view));
    } else {
      others.push(...entriesOf(action, view).map((entry) => elsewhere(entry, panel, view)));
    }
  }
  return [
    listed(
      0,
      panels.map((panel) => panelEntry(panel, view)),
    ),
    listed(1, own),
    ...view.tabs.value.map((panel) => tagsOf(panel, view)).filter((source) => source.texts.length > 0),
    runsOf(view),
    // Where runs and tags can be chosen for something, they are found themselves before that.
    ...lists,
    listed(BEHIND + 5, gesturesOf(view)),
    listed(BEHIND + 6, others),
    listed(BEHIND_ALL, later),
  ];
}

/** The gestures and keys of the shown panel and the dashboard: the sheet that lists them shows the rest. */
function gesturesOf(view: View): Entry[] {
  return [...(view.panel.value?.actions ?? []), ...dashboardActions]
    .filter((action) => action.kind === "gesture")
    .filter((action) => action.applies?.(view) !== false)
    .map(({ id, name, section, gesture, keys = [] }) => ({
      id: `action ${id}`,
      kind: "gesture",
      text: name(),
      detail: commonTexts().labeled(section?.() ?? "", gesture?.() ?? keys.map((key) => keyName(key)).join(" ")),
      choose: () => {
        shellOf(view).sheet.value = "help";
      },
    }));
}

function listed(rank: number, entries: readonly Entry[]): Source {
  return {
    rank,
    kind: entries[0]?.kind ?? "action",
    prefix: "",
    values: entries.map(({ id }) => id),
    texts: entries.map(({ text }) => text),
    context: (i) => contextOf(entries[i] as Entry),
    entry: (i) => entries[i] as Entry,
  };
}

function panelEntry(panel: Panel, view: View): Entry {
  return {
    id: `panel ${panel.name}`,
    kind: "panel",
    text: titleOf(panel),
    isChosen: () => view.panel.value === panel,
    choose: () => goTo(panel, view),
  };
}

function goTo(panel: Panel, view: View): void {
  uncover(view);
  view.options.board.panel.set(panel.name);
}

/** The entry of an action of another panel. */
function elsewhere({ stays: _, choose, ...entry }: Entry, panel: Panel, view: View): Entry {
  const title = titleOf(panel);
  return {
    ...entry,
    detail: entry.next === undefined ? title : `${entry.detail} · ${title}`,
    ...(choose && {
      choose: (other) => {
        goTo(panel, view);
        // Once it is drawn.
        requestAnimationFrame(() => choose(other));
      },
    }),
  };
}

/** Frames that a panel is given to draw what an action needs. */
const MAX_FRAMES = 100;

/** The entry of an action that exists only in its panel: it goes there, and acts as soon as it can, or lists the names. */
function laterEntry(action: Action, panel: Panel, view: View): Entry {
  const act = (left: number): boolean => {
    if (view.panel.peek() !== panel) {
      return true;
    }
    const canAct = action.applies?.(view) !== false;
    if (isOfNames(action)) {
      if (left > 0 && !(canAct && action.values(view).length > 0)) {
        return false;
      }
      const { sheet, typed } = shellOf(view);
      typed.value = `${action.name()} `;
      sheet.value = "palette";
    } else if (canAct && action.kind === "command") {
      action.run(view);
    }
    return canAct;
  };
  return {
    ...{ id: `action ${action.id}`, kind: "action", text: action.name(), detail: titleOf(panel) },
    choose: () => {
      goTo(panel, view);
      // Once it is drawn.
      requestAnimationFrame(() => trySoon(act, MAX_FRAMES));
    },
  };
}

function valueEntry(action: Choice, value: string, view: View): Entry {
  return {
    id: `action ${action.id}=${value}`,
    kind: "action",
    text: action.labelOf?.(value, view) ?? `${action.name()}: ${action.nameOf(value, view)}`,
    detail: action.groupOf?.(value) ?? action.section?.() ?? action.hintOf?.(value, view),
    barred: action.barred?.(view, value),
    ...(action.isOn
      ? { isOn: () => action.isOn?.(view, value) === true, stays: () => true }
      : action.chosen && { isChosen: () => action.chosen?.(view) === value }),
    choose: () => action.choose(view, value),
  };
}

/** The values of a choice among names, which may be as many as there are tags. */
function namesOf(action: Choice, view: View, near: ReadonlyMap<string, number>): Source {
  const wanted = `${action.name()}: ${wordsOf(action.id)}`;
  const context = `${commandTexts().kinds.action} ${wanted}`;
  // Made once they are searched.
  const values = computed(() => action.values(view));
  const texts = computed(() => values.value.map((value) => action.nameOf(value, view)));
  return {
    kind: "action",
    rank: 4,
    prefix: `action ${action.id}=`,
    get values() {
      return values.value;
    },
    get texts() {
      return texts.value;
    },
    ...(!action.isFoundByValue && { wanted }),
    near,
    context: () => context,
    entry: (i) => {
      const value = values.value[i] as string;
      return { ...valueEntry(action, value, view), isOfList: true, ...(action.isOfRuns && { run: value }) };
    },
  };
}

function entriesOf(action: Action, view: View): Entry[] {
  const base = { id: `action ${action.id}`, kind: "action", text: action.name(), detail: action.section?.() } as const;
  switch (action.kind) {
    case "toggle": {
      const option = action.option(view);
      return [
        {
          ...base,
          isOn: () => option.value,
          stays: () => true,
          choose: () => option.set(!option.peek()),
        },
      ];
    }
    case "choice":
      return action.values(view).map((value) => valueEntry(action, value, view));
    case "number": {
      const option = action.option(view);
      const none = action.none?.();
      return [
        {
          ...base,
          detail: commandTexts().typeNumber(formatCount(action.least), formatCount(action.most)),
          next: `${base.text} `,
        },
        ...(none === undefined
          ? []
          : [
              {
                ...base,
                id: `${base.id}=none`,
                text: `${base.text}: ${none}`,
                isChosen: () => option.value === null,
                choose: () => option.set(null),
              },
            ]),
      ];
    }
    case "step":
      return [{ ...base, detail: commandTexts().typeStep, next: `${base.text} ` }];
    case "command":
      return [{ ...base, choose: () => action.run(view) }];
    default:
      return [];
  }
}

const NUMBER = /^-?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[+-]?\d+)?$/i;
const GROUPED = /^-?\d{1,3}(?:,\d{3})+$/;

/** The number that was typed; NaN: none. A comma sets thousands apart where only whole numbers have a meaning. */
function numberIn(typed: string, isWhole: boolean): number {
  if (isWhole && GROUPED.test(typed)) {
    return Number(typed.replaceAll(",", ""));
  }
  return NUMBER.test(typed) ? Number(typed.replace(",", ".")) : Number.NaN;
}

/** "smoothing 0.6": the numbers and steps that the words before it name, set to it. */
function numbersIn(query: string, view: View): Entry[] {
  const trimmed = query.trim();
  const space = trimmed.lastIndexOf(" ");
  const wanted = new WordQuery(trimmed.slice(0, Math.max(0, space)));
  if (wanted.isEmpty) {
    return [];
  }
  const typed = trimmed.slice(space + 1);
  const rankOf = ([{ id, name }]: Offer) => wanted.rank(name(), lowered(name()), wordsOf(id));
  const lengthOf = ([action]: Offer) => action.name().length;
  return offered(view)
    .filter((offer) => rankOf(offer) !== NOT_FOUND)
    .sort((a, b) => rankOf(a) - rankOf(b) || Number(a[1] !== null) - Number(b[1] !== null) || lengthOf(a) - lengthOf(b))
    .flatMap(([action, panel]): Entry | readonly Entry[] => {
      const entry = typedEntry(action, typed, view);
      return entry === null ? [] : panel === null ? entry : elsewhere(entry, panel, view);
    });
}

/** The entry that sets a number or a step as it was typed; null: it is none. */
function typedEntry(action: Action, typed: string, view: View): Entry | null {
  if (action.kind === "step") {
    const at = parseStep(typed);
    const named = { id: `action ${action.id} ${at}`, kind: "action", text: `${action.name()}: ${at}` } as const;
    return at === null ? null : { ...named, isChosen: () => false, choose: () => action.choose(view, at) };
  }
  if (action.kind !== "number") {
    return null;
  }
  const { id, least, most, step } = action;
  const isWhole = step !== undefined && step % 1 === 0;
  const value = numberIn(typed, isWhole);
  if (Number.isNaN(value)) {
    return null;
  }
  const range = commandTexts().typeNumber(formatCount(least), formatCount(most));
  const isValid = value >= least && value <= most && (!isWhole || Number.isInteger(value));
  return {
    id: `action ${id} ${value}`,
    kind: "action",
    // As it was understood.
    text: `${action.name()}: ${value}`,
    barred: isValid ? undefined : range,
    isChosen: () => action.option(view).value === value,
    choose: () => action.option(view).set(value),
  };
}

/** The tags that have cards in a panel. */
function tagsOf(panel: Panel, view: View): Source {
  const { store } = view.channel;
  const [codec] = panel.codecs;
  // A panel that is made of documents has no card for each tag.
  const tags = codec === undefined || codec.sort === "document" ? [] : store.tagsOf(codec.kind);
  const title = titleOf(panel);
  const named = store.tagTexts.value;
  const nameOf = (tag: string) =>
    named.size === 0 || codec === undefined ? null : displayName(named, [codec.kind], tag);
  return {
    kind: "tag",
    rank: 2,
    prefix: `tag ${panel.name}/`,
    values: tags,
    texts: tags,
    context: (i) => (named.size === 0 ? title : `${title} ${nameOf(tags[i] as string) ?? ""}`),
    entry: (i) => {
      const tag = tags[i] as string;
      const shown = nameOf(tag);
      return {
        id: `tag ${panel.name}/${tag}`,
        kind: "tag",
        text: tag === "" ? uiTexts().emptyTag : tag,
        detail: shown === null ? title : `${shown} · ${title}`,
        choose: () => {
          const runs = codec === undefined ? [] : store.runsOf(codec.kind, tag);
          // Without any run that is shown, it may have no card.
          if (runs[0] !== undefined && !runs.some((run) => view.options.shows(run))) {
            showRun(runs[0], view);
          }
          uncover(view);
          goToCard(panel.name, tag, view);
        },
      };
    },
  };
}

function runsOf(view: View): Source {
  const { channel, options } = view;
  const runs = channel.store.runs.value;
  const names = options.runTable.run_names.value;
  const kind = `${commandTexts().kinds.run} ${dashboardTexts().only}`;
  const choice = view.runChoice.value;
  return {
    kind: "run",
    rank: 3,
    prefix: "run ",
    values: runs,
    texts: runs,
    context: (i) => (names.size === 0 ? kind : `${kind} ${names.get(runs[i] as string) ?? ""}`),
    entry: (i) => {
      const run = runs[i] as string;
      return {
        id: `run ${run}`,
        kind: "run",
        text: run,
        detail: names.get(run),
        run,
        ...(choice === null
          ? { isOn: () => options.shows(run) }
          : {
              isChosen: () => choice.run === run,
              barred: choice.offered.has(run) ? undefined : dashboardTexts().runs,
            }),
        stays: (other) => other && choice === null,
        choose: (other) => {
          if (choice !== null) {
            choice.choose(run);
          } else if (other) {
            const { selection } = options.runs;
            options.select(toggled(selection.peek(), [run], !options.shows(run), channel.store.runs.peek()));
          } else {
            options.select({ names: new Set([run]), only: true });
          }
        },
      };
    },
  };
}

/** By list of texts, which is another one when a text comes or goes: the same in lower case. */
const inLowerCase = new WeakMap<readonly string[], readonly string[]>();

function loweredAll(texts: readonly string[]): readonly string[] {
  let lower = inLowerCase.get(texts);
  if (lower === undefined) {
    lower = texts.map(lowered);
    inLowerCase.set(texts, lower);
  }
  return lower;
}

export interface Found {
  /** The best ones, the best first. */
  readonly entries: readonly Entry[];
  /** How many match. */
  readonly total: number;
}

/** The longest text that counts for the order; a shorter one comes first where both match equally well. */
const MAX_LENGTH = 4095;

/** What matches; of `recent`, what was chosen lately, first. */
export function search(query: string, view: View, sources: readonly Source[], recent: readonly Entry[] = []): Found {
  const words = new WordQuery(query);
  const numbers = numbersIn(query, view);
  // One number a match: ranks, length and place, so that sorting is fast whatever their count.
  const keys: number[] = [];
  let first = 0;
  const searched = sources.filter(({ wanted }) => wanted === undefined || words.isAbout(wanted));
  for (const source of searched) {
    const lower = loweredAll(source.texts);
    for (const [i, text] of source.texts.entries()) {
      const rank = words.isEmpty ? 0 : words.rank(text, lower[i] as string, source.context(i));
      if (rank !== NOT_FOUND) {
        const { near, values } = source;
        const place = near?.get(values[i] as string) ?? (near?.size ?? 0) + text.length;
        const length = words.isEmpty ? 0 : Math.min(place, MAX_LENGTH);
        keys.push(((Math.min(rank, 255) * 8 + source.rank) * (MAX_LENGTH + 1) + length) * 2 ** 24 + first + i);
      }
    }
    first += source.texts.length;
  }
  const sorted = Float64Array.from(keys).sort();
  const places = Array.from(sorted.subarray(0, MAX_RESULTS), (key) => key % 2 ** 24);
  const best = places.map((place) => entryAt(place, searched));
  const lately = recent.filter(({ text }) => words.isEmpty || words.rank(text, lowered(text)) !== NOT_FOUND);
  const entries = new Map([...numbers, ...lately, ...best].map((entry) => [entry.id, entry]));
  return { entries: [...entries.values()].slice(0, MAX_RESULTS), total: keys.length + numbers.length };
}

function entryAt(place: number, sources: readonly Source[]): Entry {
  let left = place;
  for (const source of sources) {
    if (left < source.texts.length) {
      return source.entry(left);
    }
    left -= source.texts.length;
  }
  throw new RangeError(`no entry ${place}`);
}

/** The entries of these ids that are still there, in the order of the ids. */
export function entriesOfIds(ids: readonly string[], sources: readonly Source[]): Entry[] {
  return ids.flatMap((id) => {
    for (const { prefix, values, entry } of sources.filter((source) => id.startsWith(source.prefix))) {
      const place = values.indexOf(id.slice(prefix.length));
      if (place >= 0) {
        return [entry(place)];
      }
    }
    return [];
  });
}
