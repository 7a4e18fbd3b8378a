// The menus of a toolbar, and the control of each action in them: all from a table of actions.

import type { ComponentChildren } from "preact";
import { formatCount } from "../lib/format";
import { listOf } from "../lib/texts";
import { type Action, type Choice, MENUS, type MenuName, type NumberAction } from "./actions";
import { Check, NumberBox, Segments } from "./controls";
import { MenuLabel, Popover } from "./popover";
import { Slider } from "./slider";
import { menuTexts } from "./texts";
import { useView, type View } from "./view";
import "./actionmenu.css";

/** A choice with more values, or longer names, is a list. */
const MAX_SEGMENTS = 6;
const MAX_SEGMENT_CHARACTERS = 32;

/** The actions that are offered now, in the order of the table. */
export function offered(actions: readonly Action[], view: View): Action[] {
  return actions.filter(({ kind, applies }) => kind !== "gesture" && applies?.(view) !== false);
}

interface MenusProps {
  readonly actions: readonly Action[];
  /** One menu that has all of them. */
  readonly isNarrow: boolean;
}

/** The buttons that open the menus; a menu without any action has none. */
export function ActionMenus({ actions, isNarrow }: MenusProps) {
  const view = useView();
  const shown = offered(actions, view);
  const inMenu = (name: MenuName) => shown.filter(({ menu, bar }) => menu === name && (isNarrow || bar === undefined));
  const menus = isNarrow
    ? [{ name: "view" as const, of: MENUS.flatMap(inMenu) }]
    : MENUS.map((name) => ({ name, of: inMenu(name) }));
  return (
    <>
      {menus.map(
        ({ name, of }) =>
          of.length > 0 && (
            <Popover
              key={name}
              class={name === "view" ? "tbwidget-button tbwidget-menu-view" : "tbwidget-button"}
              label={<MenuLabel text={menuTexts().menus[name]} />}
              title={isNarrow ? menuTexts().allHint : sectionsOf(of)}
              active={of.some((action) => action.active?.(view) === true)}
            >
              {(close) => <ActionMenu actions={of} isNarrow={isNarrow} close={close} />}
            </Popover>
          ),
      )}
    </>
  );
}

/** Titles of the sections of a menu, for its tooltip. */
function sectionsOf(actions: readonly Action[]): string {
  return listOf([...new Set(actions.map(({ section }) => section?.() ?? ""))].filter((title) => title !== ""));
}

interface MenuProps extends MenusProps {
  close(): void;
}

/** The content of a menu: its sections with their headings, an action a row. */
export function ActionMenu({ actions, isNarrow, close }: MenuProps) {
  const sections = new Map<string, Action[]>();
  for (const action of offered(actions, useView())) {
    const title = action.section?.() ?? "";
    sections.set(title, [...(sections.get(title) ?? []), action]);
  }
  return (
    <div class="tbwidget-action-menu">
      {[...sections].map(([title, of]) => (
        <section key={title} aria-label={title || undefined}>
          {title !== "" && <h4>{title}</h4>}
          {of.map((action) => (
            <ActionRow key={action.id} action={action} isNarrow={isNarrow} close={close} />
          ))}
        </section>
      ))}
    </div>
  );
}

interface RowProps extends Omit<MenuProps, "actions"> {
  readonly action: Action;
}

function ActionRow({ action, isNarrow, close }: RowProps) {
  const view = useView();
  const name = action.name();
  const hint = action.hint?.();
  switch (action.kind) {
    case "toggle":
      return <Check option={action.option(view)} name={name} hint={hint ?? ""} />;
    case "choice":
      return (
        <LabeledRow name={name} hint={barredHint(action, view) ?? hint}>
          <ChoiceControl action={action} />
        </LabeledRow>
      );
    case "number":
      return (
        <LabeledRow name={name} hint={hint}>
          <NumberControl action={action} />
        </LabeledRow>
      );
    case "command":
      return (
        <div>
          <button type="button" class="tbwidget-button" title={hint} onClick={() => action.run(view)}>
            {name}
          </button>
        </div>
      );
    case "form": {
      const form = <action.Form isNarrow={isNarrow} close={close} />;
      return action.isWide ? (
        form
      ) : (
        <LabeledRow name={name} hint={hint}>
          {form}
        </LabeledRow>
      );
    }
    case "step":
    case "gesture":
      return null;
  }
}

interface LabeledProps {
  readonly name: string;
  readonly hint?: string | undefined;
  readonly children: ComponentChildren;
}

/** A row of a menu: the name, and its control at the right of the column of names. */
export function LabeledRow({ name, hint, children }: LabeledProps) {
  return (
    <div class="tbwidget-action-row" title={hint}>
      <span>{name}</span>
      {children}
    </div>
  );
}

/** Why none of the values can be chosen; undefined where one can. */
function barredHint(action: Choice, view: View): string | undefined {
  const reasons = action.values(view).map((value) => action.barred?.(view, value));
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}

interface ChoiceProps {
  readonly action: Choice;
  /** There is little room: more than a few values are a list. */
  readonly isNarrow?: boolean;
}

/** Values that stand side by side where there is little room. */
const MAX_NARROW_SEGMENTS = 4;

/** Options of a list: the browser takes long to open one of very many. The palette finds the others. */
const MAX_OPTIONS = 1001;

/** A choice: buttons side by side, or a list. */
export function ChoiceControl({ action, isNarrow = false }: ChoiceProps) {
  const view = useView();
  const values = action.values(view);
  const chosen = action.chosen?.(view) ?? null;
  const choose = (value: string) => action.choose(view, value);
  const isList =
    action.isList === true ||
    values.length > (isNarrow ? MAX_NARROW_SEGMENTS : MAX_SEGMENTS) ||
    values.reduce((sum, value) => sum + action.nameOf(value, view).length, 0) > MAX_SEGMENT_CHARACTERS;
  if (!isList) {
    const by = (of: (value: string) => string | undefined) =>
      Object.fromEntries(values.map((value) => [value, of(value) ?? ""]));
    const barred = values.flatMap((value) => {
      const why = action.barred?.(view, value);
      return why === undefined ? [] : [[value, why] as const];
    });
    return (
      <Segments
        title={action.name()}
        options={values}
        names={by((value) => action.nameOf(value, view))}
        hints={by((value) => action.hintOf?.(value, view))}
        chosen={chosen}
        barred={Object.fromEntries(barred)}
        {...(action.isOn && { isOn: (value: string) => action.isOn?.(view, value) === true })}
        choose={choose}
      />
    );
  }
  const first = values.slice(0, MAX_OPTIONS);
  const shown = chosen === null || first.includes(chosen) || !values.includes(chosen) ? first : [...first, chosen];
  const left = values.length - shown.length;
  const groups = new Map<string | undefined, string[]>();
  for (const value of shown) {
    const title = action.groupOf?.(value);
    groups.set(title, [...(groups.get(title) ?? []), value]);
  }
  const inOrder = [...groups.values()].flat();
  const option = (value: string) => (
    <option
      key={value}
      value={value}
      selected={value === chosen}
      disabled={action.barred?.(view, value) !== undefined}
      title={action.barred?.(view, value) ?? action.hintOf?.(value, view)}
    >
      {action.nameOf(value, view)}
    </option>
  );
  const isNamed = action.isList === true && action.bar !== undefined;
  const marks = { "data-action": action.id, "data-active": action.active?.(view) === true ? "" : undefined };
  const list = (
    <select
      class="tbwidget-select"
      {...(isNamed ? {} : marks)}
      aria-label={action.name()}
      title={chosen === null ? action.hint?.() : (action.hintOf?.(chosen, view) ?? action.hint?.())}
      onChange={({ currentTarget }) => {
        const value = inOrder[currentTarget.selectedIndex];
        if (value !== undefined) {
          choose(value);
        }
        // The choice may wait or fail: the list changes only once it holds.
        currentTarget.selectedIndex = inOrder.indexOf(action.chosen?.(view) ?? "");
      }}
    >
      {[...groups].map(([title, of]) =>
        title === undefined || groups.size === 1 ? (
          of.map(option)
        ) : (
          <optgroup key={title} label={title}>
            {of.map(option)}
          </optgroup>
        ),
      )}
      {left > 0 && <option disabled>{menuTexts().moreValues(formatCount(left))}</option>}
    </select>
  );
  // A select cuts the ends of names, which tell them apart.
  return isNamed ? (
    <span class="tbwidget-button tbwidget-name-list" {...marks}>
      <span aria-hidden="true">
        <bdi>{chosen === null ? "" : action.nameOf(chosen, view)}</bdi>
      </span>
      <span aria-hidden="true">▾</span>
      {list}
    </span>
  ) : (
    list
  );
}

function NumberControl({ action }: { readonly action: NumberAction }) {
  const { slider, least, most, step } = action;
  const option = action.option(useView());
  const name = action.name();
  const value = option.value ?? least;
  const box = <NumberBox option={option} name={name} least={least} most={most} {...(step !== undefined && { step })} />;
  if (slider === undefined) {
    return box;
  }
  const place = slider.isLog ? Math.log2 : (number: number) => number;
  const numberAt = (at: number) => (slider.isLog ? 2 ** at : at);
  return (
    <>
      <Slider
        min={place(slider.least)}
        max={place(slider.most)}
        step={slider.step}
        value={place(Math.max(slider.least, Math.min(slider.most, value)))}
        aria-label={name}
        aria-valuetext={String(value)}
        choose={(at) => option.set(step === 1 ? Math.round(numberAt(at)) : numberAt(at))}
      />
      {box}
    </>
  );
}
