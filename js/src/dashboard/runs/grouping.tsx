// How the runs are grouped and colored: a menu, and what says so above the list.

import { batch } from "@preact/signals";
import { formatCount } from "../../lib/format";
import { compareNatural } from "../../lib/natural";
import { HPARAM } from "../../lib/runcolumns";
import { compareOptions } from "../../lines/options";
import { compareTexts } from "../../lines/texts";
import { AUTO } from "../../options/runcolors";
import { FOLDER, REGEX, runsByGroup } from "../../options/rungroups";
import { Check } from "../../ui/controls";
import { Elided } from "../../ui/elided";
import { GroupingForm, group } from "../../ui/grouping";
import { Popover } from "../../ui/popover";
import { runTableTexts } from "../../ui/texts";
import { useView, type View } from "../../ui/view";

/** Whether runs can be grouped by this value of `run_color_by`. */
function isGrouping(by: string): boolean {
  return by === FOLDER || by.startsWith(REGEX) || by.startsWith(HPARAM);
}

/** As the menu calls it. */
function nameOf(by: string): string {
  const names: Readonly<Record<string, string>> = runTableTexts().grouping;
  if (by.startsWith(REGEX)) {
    return `${runTableTexts().grouping.regex} ${by.slice(REGEX.length)}`;
  }
  return by.startsWith(HPARAM) ? by.slice(HPARAM.length) : (names[by] ?? by);
}

/** Gives each run a color of its own; ends the groups, too, where the colors are theirs. */
function ungroup(view: View): void {
  const { colors, board, runTable } = view.options;
  const by = colors.by.peek();
  if (by !== "group" && by !== board.group_by.peek()) {
    runTable.run_color_by.set("run");
    return;
  }
  batch(() => {
    group(view, "");
    const means = meansOf(view);
    if (means?.peek()) {
      means.set(false);
    }
  });
}

/** Whether the lines are means of groups; null where no panel draws lines. Setting it groups the runs as they are colored. */
function meansOf(view: View): { readonly value: boolean; set(on: boolean): void; peek(): boolean } | null {
  const { options } = view;
  if (!options.declares(compareOptions)) {
    return null;
  }
  const { aggregate, band } = options.of(compareOptions);
  return {
    get value() {
      return aggregate.value !== null;
    },
    peek: () => aggregate.peek() !== null,
    set: (on) =>
      batch(() => {
        const by = options.colors.by.peek();
        if (on && options.board.group_by.peek() === "" && isGrouping(by)) {
          group(view, by);
        }
        aggregate.set(on ? "mean" : null);
        if (on && band.peek() === null) {
          band.set("std");
        }
      }),
  };
}

export function GroupMenu() {
  const view = useView();
  const { board, runTable, colors, runGroups } = view.options;
  return (
    <Popover
      label={runTableTexts().groupMenu}
      title={runTableTexts().groupMenuHint}
      active={board.group_by.value !== "" || colors.by.value !== "run"}
    >
      {() => {
        const means = meansOf(view);
        const isAuto = runTable.run_color_by.value === AUTO;
        const own = runGroups.grouped.value ? [{ key: "group", name: runTableTexts().grouping.group }] : [];
        return (
          <div class="tbwidget-run-menu" data-lm-suppress-shortcuts="true">
            <GroupingForm
              label={runTableTexts().groupBy}
              value={board.group_by.value}
              options={[{ key: "", name: runTableTexts().grouping.none }]}
              problem={runGroups.problem.value}
              set={(by) => group(view, by)}
            />
            <GroupingForm
              label={runTableTexts().colorBy}
              value={runTable.run_color_by.value}
              options={[
                { key: AUTO, name: runTableTexts().automaticColors(isAuto ? nameOf(colors.by.value) : null) },
                { key: "run", name: runTableTexts().grouping.run },
                ...own,
              ]}
              problem={colors.problem.value}
              set={(by) => runTable.run_color_by.set(by)}
            />
            {means !== null && <Check option={means} name={runTableTexts().means} hint={runTableTexts().meansHint} />}
          </div>
        );
      }}
    </Popover>
  );
}

/** By what the runs are colored, unless each has its own color; a click undoes it. */
export function GroupChip() {
  const view = useView();
  const { options, theme } = view;
  const { colors, runGroups } = options;
  const by = colors.by.value;
  const groups = colors.groups.value;
  const colorOf = colors.colorOfGroup.value;
  const scale = colors.scale.value;
  if ((groups === null || groups.length === 0) && scale === null) {
    return null;
  }
  const means = meansOf(view);
  const isListed = runGroups.grouped.value && (by === "group" || by === runGroups.by.value);
  return (
    <div class="tbwidget-run-groups">
      <button
        type="button"
        class="tbwidget-chip"
        title={runTableTexts().ungroup(nameOf(by === "group" ? runGroups.by.value : by))}
        onClick={() => ungroup(view)}
      >
        {groups === null
          ? runTableTexts().coloredBy(scale?.name ?? "")
          : isListed
            ? runTableTexts().groupsShown(groups.length)
            : runTableTexts().colorsOfGroups(nameOf(by), groups.length)}{" "}
        <span aria-hidden="true">×</span>
      </button>
      {means?.value && <BandOfGroups />}
      {means !== null && (
        <button
          type="button"
          class="tbwidget-link"
          title={runTableTexts().meansHint}
          onClick={() => means.set(!means.peek())}
        >
          {means.value ? runTableTexts().showRuns : runTableTexts().showMeans}
        </button>
      )}
      {groups !== null && colorOf !== null && !isListed && groups.length <= MAX_NAMED_GROUPS && (
        <p>
          {[...groups].sort(compareNatural).map((name) => (
            <span key={name} title={name}>
              <i style={{ background: colorOf(name, theme.value) }} />
              <Elided text={name} short={SHORT_NAME} />
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

/** What the lines and the bands around them are. */
function BandOfGroups() {
  const { options, channel } = useView();
  const { aggregate, band } = options.of(compareOptions);
  const { grouped, groupOf } = options.runGroups;
  if (!grouped.value || aggregate.value === null) {
    return null;
  }
  const shown = channel.store.runs.value.filter((run) => options.shows(run));
  const sizes = [...runsByGroup(shown, groupOf.value).values()].map((runs) => runs.length);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  const around = band.value === null ? null : compareTexts().bands[band.value];
  const line = around === null ? aggregate.value : `${aggregate.value}${band.value === "std" ? "" : ","} ${around}`;
  return sizes.length === 0 ? null : (
    <span class="tbwidget-quiet">
      {runTableTexts().bandOf(line, least === most ? formatCount(most) : `${formatCount(least)}–${formatCount(most)}`)}
    </span>
  );
}

/** Groups that are named above the list, where it does not name them itself. */
const MAX_NAMED_GROUPS = 8;
const SHORT_NAME = 14;
