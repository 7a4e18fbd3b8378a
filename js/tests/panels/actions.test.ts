// The tables of actions, one for each panel.

import { signal } from "@preact/signals";
import { expect, test } from "vitest";
import { actionAmong, CHART_KEYS, type Key } from "../../src/charts/keyboard";
import { dashboardActions } from "../../src/dashboard/actions";
import { VIEWER_KEYS } from "../../src/items/viewer/state";
import type { Option } from "../../src/options/declare";
import { Options } from "../../src/options/options";
import { logValueOptions } from "../../src/options/shared";
import { WAVE_KEYS } from "../../src/panels/audio/wave";
import { GRAPH_KEYS } from "../../src/panels/graphs/draw/stage";
import { AXIS_KEYS } from "../../src/panels/hparams/parallel/keys";
import { IMAGE_KEYS } from "../../src/panels/images/zoom/gestures";
import { STAGE_KEYS as MESH_STAGE_KEYS, TILE_KEYS } from "../../src/panels/meshes/canvas";
import { STAGE_KEYS as POINT_KEYS } from "../../src/panels/projector/keys";
import { panels } from "../../src/panels/registry";
import { TREE_KEYS } from "../../src/panels/text/tree";
import { type Action, type Choice, MENUS } from "../../src/ui/actions";
import type { View } from "../../src/ui/view";
import { noteZoom } from "../../src/ui/zoomed";
import { Store } from "../../src/wire/store";
import { boardOf } from "../lines/board";
import { FakeModel } from "../options/fakemodel";
import { part } from "../wire/made";

/** Options that no control of a toolbar sets: charts and cards do, or the strip of steps. */
const ELSEWHERE = new Set([
  ...["linked_step", "selected_steps", "named_ranges", "log_y", "log_counts", "symlog_y", "y_ranges", "outliers_y"],
  ...["hparams_sort", "hparams_filters", "hparams_scales", "hparams_flipped", "hparams_at"],
  ...["graph_expanded", "graph_ungrouped", "graph_grouped", "graph_keep", "graph_extract", "graph_isolated"],
  ...["graph_selected", "text_search"],
]);

/** Zooming sets the range of steps; line charts have boxes for it, too. Lists of steps have no axis. */
const OF_AXES = new Set(["x_axis", "step_range", "ignore_outliers"]);

const AXES: Readonly<Record<string, readonly string[]>> = {
  scalars: ["x_axis", "step_range", "ignore_outliers"],
  custom_scalars: ["x_axis", "step_range", "ignore_outliers"],
  histograms: ["x_axis", "ignore_outliers"],
  distributions: ["x_axis", "ignore_outliers"],
};

/** Cards of layouts stay unchanged without data; components and axes are chosen next to the points. */
const APART = new Map([
  ["custom_scalars", new Set(["empty_cards", "join_splits"])],
  ["projector", new Set([...["projector_components", "projector_axes", "projector_selected"]])],
]);

const nameOf = ({ id }: Action) => id.slice(id.indexOf(".") + 1);

function viewOf(): View {
  const store = new Store([...new Set(panels.flatMap(({ codecs }) => codecs))]);
  const tables = [...new Set(panels.flatMap(({ options }) => options))];
  const options = new Options(new FakeModel(), store, tables, new AbortController().signal);
  return {
    channel: { store },
    options,
    theme: signal("light"),
    tabs: signal([]),
    inSight: signal([]),
  } as unknown as View;
}

test.each(panels.map((panel) => [panel.name, panel.actions ?? []] as const))(
  "actions of %s have names and ids of their own, and stand somewhere",
  (_, actions) => {
    expect(actions.length).toBeGreaterThan(0);
    const ids = actions.map(({ id }) => id);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
    for (const action of actions) {
      expect(action.id).toMatch(/^[a-z_]+\.[a-z0-9_]+$/);
      expect(action.name()).not.toBe("");
      expect(action.hint?.()).not.toBe("");
      // An action in a menu stands below a heading; gestures are in no menu, and describe themselves.
      expect(action.menu === undefined || (action.section?.() ?? "") !== "").toBe(true);
      if (action.kind === "gesture") {
        expect(action.menu ?? action.bar).toBeUndefined();
        expect((action.gesture?.() ?? action.keys?.join() ?? "").length).toBeGreaterThan(0);
      }
    }
  },
);

test.each(panels.map((panel) => [panel.name, panel] as const))(
  "each option of %s that a control sets has one control",
  (name, { options, actions = [] }) => {
    const axes = AXES[name] ?? [];
    const all = options.flatMap((table) => Object.keys(table));
    const isSet = (option: string) =>
      !ELSEWHERE.has(option) && !APART.get(name)?.has(option) && (!OF_AXES.has(option) || axes.includes(option));
    const controlled = actions.filter(({ kind }) => kind !== "gesture").map(nameOf);
    const found = all.map((option) => [option, controlled.filter((one) => one === option).length]);
    expect(found).toEqual(all.map((option) => [option, isSet(option) ? 1 : 0]));
  },
);

// The plots and the table of hyperparameters are no cards.
test.each(panels.filter(({ name }) => name !== "hparams").map((panel) => [panel.name, panel.actions ?? []] as const))(
  "the help of %s has the keys that go into a card and out of it",
  (_, actions) => {
    expect(actions.map(({ id }) => id)).toEqual(expect.arrayContaining(["card.key_enter", "card.key_leave"]));
  },
);

const LISTS = panels.flatMap(({ name, actions = [] }) =>
  actions
    .filter((action): action is Choice => action.kind === "choice" && action.isList === true)
    .filter(({ id }) => /^(card|save|section)\./.test(id))
    .map((action) => [name, action] as const),
);

const CARDS = [
  {
    key: "tloss/train",
    name: "loss/train, loss/val, loss/test",
    tags: ["loss/train", "loss/val", "loss/test"],
    isSplit: true,
  },
  { key: "tacc", name: "acc", tags: ["acc"], canJoin: true },
  // It begins with the tag of another card.
  { key: "p^acc", name: "/^acc/", tags: ["acc", "acc/val"], pattern: "^acc" },
  { key: "!rate", name: "rate, speed", tags: ["rate", "speed"], isPinned: true },
].map((card) => ({ pattern: null, isPinned: false, isSplit: false, canJoin: false, ...card }));

/** A panel with these cards, of which the page has the controls of two sections and of two clips. */
function gridView(name: string): View {
  const control = (dataset: object, ariaLabel?: string) => ({ closest: () => ({ dataset, ariaLabel }) });
  const controls = [
    ["section.", control({ section: "loss" })],
    ["section.", control({ section: "acc" })],
    ["audio.", control({ tag: "voice", run: "a" }, "a")],
    ["audio.", control({ tag: "voice", run: "a" }, "a")],
  ] as const;
  return {
    ...viewOf(),
    panel: signal(panels.find((panel) => panel.name === name)),
    grid: signal({ cards: signal(CARDS) }),
    root: {
      querySelector: () => ({}),
      querySelectorAll: (what: string) => controls.flatMap(([of, one]) => (what.includes(`"${of}`) ? [one] : [])),
    },
  } as unknown as View;
}

test("there is a list of cards, or of sections, for what is done to one of them", () => {
  expect(LISTS.length).toBeGreaterThan(60);
  const named = new Set(LISTS.map(([, { id }]) => id));
  for (const id of ["card.fill", "save.csv", "save.files", "card.reset_zoom", "card.dissolve", "section.rename"]) {
    expect(named).toContain(id);
  }
});

test.each(LISTS.map(([panel, action]) => [panel, action.id, action] as const))(
  "in %s, each value of %s names another card or section",
  (panel, id, action) => {
    const view = gridView(panel);
    const values = action.values(view);
    expect(new Set(values).size).toBe(values.length);
    const names = values.map((value) => action.nameOf(value, view));
    const subjects = [
      ...CARDS.map((card) => card.name),
      ...(id === "card.take_out" ? CARDS.flatMap(({ tags }) => tags) : []),
      ...["loss", "acc", "all cards"],
    ];
    expect(names.filter((name) => !subjects.includes(name))).toEqual([]);
    expect(action.isBelow === true || !id.startsWith("section.")).toBe(true);
  },
);

test("only cards that have a control are listed for it", () => {
  const view = gridView("scalars");
  const namesOf = (id: string) => {
    const action = LISTS.find(([panel, one]) => panel === "scalars" && one.id === id)?.[1];
    return action?.values(view).map((value) => action.nameOf(value, view));
  };
  expect(namesOf("save.csv")).toEqual(["all cards", ...CARDS.map(({ name }) => name)]);
  expect(namesOf("card.fill")).toEqual(CARDS.map(({ name }) => name));
  expect(namesOf("card.dissolve")).toEqual(["loss/train, loss/val, loss/test"]);
  expect(namesOf("card.remove")).toEqual(["/^acc/"]);
  expect(namesOf("card.join")).toEqual(["acc"]);
  expect(namesOf("card.take_out")).toEqual(["loss/train", "loss/val", "loss/test", "rate", "speed"]);
  expect(namesOf("card.reset_zoom")).toEqual([]);
  noteZoom(view, "scalars", "rate", new Map());
  expect(namesOf("card.reset_zoom")).toEqual(["rate, speed"]);
  noteZoom(view, "scalars", "rate", null);
  expect(namesOf("card.reset_zoom")).toEqual([]);
  expect(namesOf("section.rename")).toEqual(["loss", "acc"]);
});

test("parts of cards on the page are listed, also where they have one name", () => {
  const view = gridView("audio");
  const actions = panels.find(({ name }) => name === "audio")?.actions ?? [];
  const play = actions.find(({ id }) => id === "audio.play") as Choice;
  const values = play.values(view);
  expect(values.map((value) => play.nameOf(value, view))).toEqual(["voice, a", "voice, a"]);
  expect(new Set(values).size).toBe(2);
  expect(play.values(view)).toEqual(values);
});

/** The actions by which the palette does what a form does; or the reason why it does not. */
const INSTEAD: Readonly<Record<string, readonly string[] | string>> = {
  "lines.smooth": ["lines.smoothing_kind", "lines.smoothing", "lines.smoothing_window"],
  "lines.group_by": ["dashboard.group_by"],
  "axes.step_range": ["axes.first_step", "axes.last_step", "axes.all_steps"],
  "cards.add": ["cards.combine"],
  "pr_curves.threshold": ["pr_curves.pr_threshold"],
  "hparams.columns": ["hparams.hparams_columns"],
  "graphs.devices": ["graphs.graph_devices"],
  "graphs.hidden_ops": ["graphs.graph_hidden_ops"],
  "meshes.key": "a legend, which does nothing",
};

test.each(panels.map((panel) => [panel.name, panel.actions ?? []] as const))(
  "the palette does what each form of %s does, and no toolbar shows that twice",
  (_, actions) => {
    const forms = actions.filter(({ kind }) => kind === "form").map(({ id }) => id);
    expect(forms.filter((id) => INSTEAD[id] === undefined)).toEqual([]);
    const wanted = forms.flatMap((id) => INSTEAD[id] ?? []).filter((id) => id.includes("."));
    const isOffered = ({ kind, menu, bar }: Action) =>
      kind !== "form" && kind !== "gesture" && menu === undefined && bar === undefined;
    const offered = [...actions, ...dashboardActions].filter((action) => isOffered(action));
    expect(wanted.filter((id) => !offered.some((action) => action.id === id))).toEqual([]);
  },
);

test("each form that a panel has is known, and each that is known a panel has", () => {
  const forms = panels.flatMap(({ actions = [] }) => actions.filter(({ kind }) => kind === "form"));
  expect([...new Set(forms.map(({ id }) => id))].sort()).toEqual(Object.keys(INSTEAD).sort());
});

type Modules = Readonly<Record<string, Readonly<Record<string, () => object>>>>;

/** The texts of tooltips, which say more than a name. */
const HINTS = Object.values(
  import.meta.glob(["../../src/**/texts.ts", "!../../src/jupyterlab/*"], { eager: true }) as Modules,
)
  .flatMap((module) => Object.entries(module))
  .flatMap(([name, texts]) => (name.endsWith("Texts") ? Object.entries(texts()) : []))
  .flatMap(([name, text]) => (name.endsWith("Hint") ? [text] : []));

test("no action is named by a tooltip", () => {
  const actions = [...panels.flatMap((panel) => panel.actions ?? []), ...dashboardActions];
  expect(HINTS.length).toBeGreaterThan(100);
  expect(actions.filter(({ name }) => HINTS.includes(name())).map(({ id }) => id)).toEqual([]);
});

const VALUES: readonly string[] = panels.flatMap(({ options }) => options.flatMap((table) => Object.keys(table)));

/** Each action that is named after an option, once; actions of charts need only the options of a view. */
const SETTING = [
  ...new Map(panels.flatMap(({ actions = [] }) => actions).map((action) => [action.id, action])).values(),
]
  .filter((action) => VALUES.includes(nameOf(action)))
  .filter(({ id }) => !id.startsWith("graphs.") && !id.startsWith("hparams."));

test.each(SETTING.map((action) => [action.id, action] as const))(
  "%s sets the option that it is named after",
  (_, action) => {
    const view = viewOf();
    const tables = panels.flatMap(({ options }) => options);
    const table = tables.find((one) => Object.hasOwn(one, nameOf(action)));
    const option = view.options.of(table as Readonly<Record<string, never>>)[
      nameOf(action)
    ] as unknown as Option<unknown>;
    const before = option.peek();
    if (action.kind === "toggle") {
      action.option(view).set(!action.option(view).peek());
    } else if (action.kind === "number") {
      action.option(view).set(action.most);
      expect(action.option(view).peek()).toBe(action.most);
    } else if (action.kind === "choice") {
      const isOfNames = action.isList === true;
      const other = isOfNames ? "=a run" : action.values(view).find((value) => value !== action.chosen?.(view));
      action.choose(view, other ?? "");
      // The tag along x counts once it is chosen as the axis.
      expect(isOfNames ? action.values(view) : [action.chosen?.(view)]).toContain(other);
    } else {
      return;
    }
    expect(option.peek()).not.toEqual(before);
  },
);

test("the y scale of scalars applies to all charts that match the filter, and has no value if they differ", () => {
  const board = boardOf(["acc", "loss", "loss/val"].map((tag) => part(tag, "run", [0])));
  const { log_y } = board.view.options.of(logValueOptions);
  const scale = panels
    .find(({ name }) => name === "scalars")
    ?.actions?.find(({ id }) => id === "axes.y_scale") as Choice;
  expect(scale.chosen?.(board.view)).toBe("linear");
  board.view.options.tagFilter.set("loss", "typed");
  scale.choose(board.view, "log");
  expect([...log_y.value]).toEqual(["loss", "loss/val"]);
  expect([scale.chosen?.(board.view), scale.active?.(board.view)]).toEqual(["log", true]);
  board.view.options.tagFilter.set("", "typed");
  expect([scale.chosen?.(board.view), scale.active?.(board.view)]).toEqual([null, true]);
  scale.choose(board.view, "symlog");
  scale.choose(board.view, "linear");
  expect([scale.chosen?.(board.view), scale.active?.(board.view)]).toEqual(["linear", false]);
  board.end();
});

test("menus have the same sections in the same order in all panels", () => {
  const orders = panels.flatMap(({ actions = [] }) =>
    MENUS.map((menu) => [
      ...new Set(actions.filter((action) => action.menu === menu).map((action) => action.section?.() ?? "")),
    ]),
  );
  const longest = MENUS.map((menu) => [
    ...new Set((panels[0]?.actions ?? []).filter((action) => action.menu === menu).map((one) => one.section?.() ?? "")),
  ]);
  for (const order of orders) {
    for (const all of longest) {
      const common = order.filter((section) => all.includes(section));
      expect(common).toEqual(all.filter((section) => order.includes(section)));
    }
  }
});

test("a name means the same in every panel", () => {
  const idsOf = new Map<string, Set<string>>();
  for (const { kind, name, id } of panels.flatMap(({ actions = [] }) => actions)) {
    // A form may be made of parts that stand alone in the palette.
    if (kind !== "gesture" && kind !== "form") {
      idsOf.set(name(), (idsOf.get(name()) ?? new Set()).add(id));
    }
  }
  const several = [...idsOf].filter(([, ids]) => ids.size > 1).map(([name]) => name);
  // "Draw", "Size" and "Color" have a meaning of their own in each panel.
  expect(several.sort()).toEqual(["Color", "Draw", "Size"]);
});

/** The event of a key as `aria-keyshortcuts` writes it. */
function pressed(written: string): Key {
  const parts = written.split("+");
  const last = parts.at(-1) ?? "";
  const key = last === "Plus" ? "+" : last === "Space" ? " " : last;
  return { key, shiftKey: parts.includes("Shift"), ctrlKey: false, metaKey: false, altKey: parts.includes("Alt") };
}

const MAPS = new Map<string, readonly Readonly<Record<string, Readonly<Record<string, unknown>>>>[]>([
  ["scalars", [CHART_KEYS]],
  ["custom_scalars", [CHART_KEYS]],
  ["histograms", [CHART_KEYS]],
  ["distributions", [CHART_KEYS]],
  ["pr_curves", [CHART_KEYS]],
  ["images", [IMAGE_KEYS, VIEWER_KEYS]],
  ["meshes", [TILE_KEYS, MESH_STAGE_KEYS, VIEWER_KEYS]],
  ["projector", [POINT_KEYS]],
  ["graphs", [GRAPH_KEYS]],
  ["hparams", [AXIS_KEYS]],
  ["audio", [WAVE_KEYS]],
  ["text", [TREE_KEYS]],
]);

test.each([...MAPS])("keys of %s that work are documented, and those that are documented work", (name, maps) => {
  const gestures = (panels.find((panel) => panel.name === name)?.actions ?? []).filter(
    ({ kind, id }) => kind === "gesture" && !/^(card|section)\./.test(id),
  );
  const documented = gestures.flatMap(({ keys = [] }) => keys);
  for (const key of documented) {
    const actions = maps.map((map) => actionAmong(pressed(key), map)).filter((action) => action !== undefined);
    expect([key, actions.length > 0]).toEqual([key, true]);
  }
  const working = maps.flatMap((map) => Object.values(map).flatMap((group) => Object.keys(group)));
  // Only offset histograms have steps from top to bottom.
  const isOnlyUpright = (key: string) =>
    name !== "histograms" && Object.hasOwn(CHART_KEYS.upright, key) && maps[0] === CHART_KEYS;
  expect(working.filter((key) => !documented.includes(key) && !isOnlyUpright(key))).toEqual([]);
  for (const section of new Set(gestures.map((gesture) => gesture.section?.()))) {
    const keys = gestures.filter((gesture) => gesture.section?.() === section).flatMap((gesture) => gesture.keys ?? []);
    expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
  }
});
