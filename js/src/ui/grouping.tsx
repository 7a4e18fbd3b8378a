// Menus that group or color the runs: by nothing, folders, a regular expression, a hyperparameter.

import { batch, useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { HPARAM } from "../lib/runcolumns";
import { FOLDER, REGEX } from "../options/rungroups";
import { attributeOf } from "../wire/runfacts";
import type { Store } from "../wire/store";
import { runTableTexts, uiTexts } from "./texts";
import { useView, type View } from "./view";

/** Groups runs and colors them so; "": neither. Colors that do not come from groups stay then. */
export function group({ options }: View, by: string): void {
  // By now: without groups, "auto" may stand for others.
  const areGroups = options.colors.by.peek() === "group";
  batch(() => {
    options.board.group_by.set(by);
    if (by !== "" || areGroups) {
      options.runTable.run_color_by.set(by === "" ? "run" : "group");
    }
  });
}

/** The control that groups the runs, in a row that names it. */
export function GroupBy() {
  const view = useView();
  const { options } = view;
  const { group_by } = options.board;
  return (
    <GroupingForm
      label={runTableTexts().groupBy}
      isLabeled
      value={group_by.value}
      options={[{ key: "", name: runTableTexts().grouping.none }]}
      problem={options.runGroups.problem.value}
      set={(by) => group(view, by)}
    />
  );
}

interface GroupingFormProps {
  readonly label: string;
  /** The label stands before it already. */
  readonly isLabeled?: boolean;
  readonly value: string;
  /** Options besides folders, expressions and hyperparameters. */
  readonly options: readonly { readonly key: string; readonly name: string }[];
  readonly problem: string | null;
  set(value: string): void;
}

/** Hyperparameters that differ between runs, and the chosen one. */
export function varyingNames({ runs, runAttributes }: Store, chosen: string): readonly string[] {
  const attributes = runAttributes.value;
  const varies = (name: string) => new Set(runs.value.map((run) => attributeOf(attributes, run, name))).size > 1;
  return attributes.names.filter((name) => chosen === HPARAM + name || varies(name));
}

export function GroupingForm({ label, isLabeled = false, value, options, problem, set }: GroupingFormProps) {
  const hparams = varyingNames(useView().channel.store, value);
  const expression = value.startsWith(REGEX) ? value.slice(REGEX.length) : null;
  const typed = useSignal(expression);
  // The value may be set elsewhere: by another control, or in Python.
  useLayoutEffect(() => {
    typed.value = expression;
  }, [expression, typed]);
  const chosen = typed.value === null ? value : REGEX;
  return (
    <>
      <div class="tbwidget-run-form">
        {!isLabeled && <span>{label}</span>}
        <select
          class="tbwidget-select"
          aria-label={label}
          value={chosen}
          onChange={({ currentTarget }) => {
            typed.value = currentTarget.value === REGEX ? "" : null;
            if (typed.value === null) {
              set(currentTarget.value);
            }
          }}
        >
          {[
            ...options,
            { key: FOLDER, name: runTableTexts().grouping.folder },
            { key: REGEX, name: runTableTexts().grouping.regex },
          ].map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
          {hparams.map((name) => (
            <option key={HPARAM + name} value={HPARAM + name}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {typed.value !== null && (
        <div class="tbwidget-run-form">
          <input
            type="search"
            class="tbwidget-filter"
            aria-label={runTableTexts().grouping.regex}
            title={runTableTexts().regexHint}
            placeholder="lr=([^,]*)"
            spellcheck={false}
            value={typed.value}
            onInput={({ currentTarget }) => {
              typed.value = currentTarget.value;
            }}
            onChange={({ currentTarget }) => {
              if (currentTarget.value !== "") {
                set(REGEX + currentTarget.value);
              }
            }}
          />
        </div>
      )}
      {problem !== null && (
        <p class="tbwidget-hint" role="alert">
          {runTableTexts().regexProblems[problem] ??
            uiTexts().filterProblems[problem as keyof ReturnType<typeof uiTexts>["filterProblems"]]}
        </p>
      )}
    </>
  );
}
