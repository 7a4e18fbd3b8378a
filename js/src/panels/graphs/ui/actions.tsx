// Actions on a box: by buttons of the info card and in the menu.

import { batch } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { place, pointBox } from "../../../lib/place";
import type { Option } from "../../../options/declare";
import { copyText } from "../../../ui/savefile";
import { writtenName } from "../about";
import { Area } from "../layout/types";
import { BoxKind, isOpenable } from "../model/view";
import { pathOf, rowOf, treeOf } from "../pageprogram";
import { boxAt } from "../places";
import type { GraphState, LaidOut, TraceMode } from "../state";
import { graphTexts } from "../texts";

export interface Action {
  readonly name: string;
  readonly hint?: string;
  do(): void;
}

/** Actions on a visible box, most usual first. */
export function actionsOn(state: GraphState, laidOut: LaidOut, box: number): Action[] {
  const { view, input, structure } = laidOut;
  const { chosen } = state;
  const path = view.path[box] as string;
  const kind = view.kind[box] as number;
  const texts = graphTexts().actions;
  const hints = graphTexts().actionHints;
  const openable = isOpenable(view, box);
  const isFold = kind === BoxKind.STACK || kind === BoxKind.LAYER;
  const isAside = input.area[box] !== Area.MAIN;
  const op = view.op[box] ?? "";
  const alikeInside = kind === BoxKind.SCOPE ? foldsInside(state, laidOut, box) : [];
  const actions: (Action | false)[] = [
    openable && { name: view.open[box] ? texts.close : texts.open, do: () => state.toggleBox(path) },
    {
      name: isAside ? texts.toMain : texts.toAuxiliary,
      hint: isAside ? hints.toMain : hints.toAuxiliary,
      do: () => {
        batch(() => {
          put(chosen.graph_keep, path, isAside);
          put(chosen.graph_extract, path, !isAside);
        });
      },
    },
    structure !== null &&
      isFold && {
        name: texts.ungroup,
        hint: hints.ungroup,
        do: () => {
          const isAsked = chosen.graph_grouped.peek().has(path);
          put(isAsked ? chosen.graph_grouped : chosen.graph_ungrouped, path, !isAsked);
        },
      },
    ...foldsAround(state, laidOut, box).map(({ fold, isOptional }) => ({
      name: isOptional ? texts.groupWith : texts.group,
      hint: isOptional ? hints.groupAlike : hints.group,
      do: () =>
        batch(() => {
          makeFold(state, fold, isOptional);
          state.select(fold);
        }),
    })),
    alikeInside.length > 0 && {
      name: texts.groupAlike,
      hint: hints.groupAlike,
      do: () =>
        batch(() => {
          for (const fold of alikeInside) {
            makeFold(state, fold, true);
          }
          if (!view.open[box]) {
            state.toggleBox(path);
          }
        }),
    },
    structure !== null &&
      openable && { name: texts.isolate, hint: hints.isolate, do: () => chosen.graph_isolated.set(path) },
    structure !== null &&
      openable && {
        name: texts.openAll,
        do: () => state.expandAll(path),
      },
    op !== "" && {
      name: texts.hideOp(op),
      do: () => put(chosen.graph_hidden_ops, op, true),
    },
  ];
  return actions.filter((action) => action !== false);
}

/** Entries of a box's menu: that, and traces. */
export function menuOf(state: GraphState, laidOut: LaidOut, box: number): Action[] {
  const path = laidOut.view.path[box] as string;
  const texts = graphTexts().actions;
  const trace = (mode: TraceMode) => () =>
    batch(() => {
      state.select(path);
      setTrace(state, mode);
    });
  return [
    ...actionsOn(state, laidOut, box),
    ...(laidOut.structure === null
      ? []
      : [
          { name: texts.traceInputs, do: trace("inputs") },
          { name: texts.traceOutputs, do: trace("outputs") },
          { name: texts.traceTo, do: trace("between") },
        ]),
  ];
}

/** Traces from the selected box. */
export function setTrace({ trace, traceFrom, chosen }: GraphState, mode: TraceMode): void {
  batch(() => {
    traceFrom.value = mode === "between" ? chosen.graph_selected.peek() : null;
    trace.value = mode;
  });
}

/** Effect of Escape: it ends the trace, else the selection. Whether there was one. */
export function endTraceOrSelection(state: GraphState): boolean {
  if (state.trace.peek() !== "off") {
    setTrace(state, "off");
    return true;
  }
  if (state.chosen.graph_selected.peek() !== null) {
    state.select(null);
    return true;
  }
  return false;
}

/** Listener of keys of what is about a graph: with nothing left to end, Escape is the page's own and ends the full window. */
export function onEscape(state: GraphState) {
  return (event: KeyboardEvent) => {
    if (event.key === "Escape" && !event.defaultPrevented && endTraceOrSelection(state)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
}

/** Adds a name to an option, or removes it. */
function put(option: Option<ReadonlySet<string>>, name: string, isIn: boolean): void {
  if (option.peek().has(name) !== isIn) {
    const names = new Set(option.peek());
    if (isIn) {
      names.add(name);
    } else {
      names.delete(name);
    }
    option.set(names);
  }
}

/** Makes a stack or layer, which is `isOptional` where the user has to ask for it. */
function makeFold({ chosen }: GraphState, fold: string, isOptional: boolean): void {
  put(chosen.graph_ungrouped, fold, false);
  if (isOptional) {
    put(chosen.graph_grouped, fold, true);
  }
}

/** The path of the innermost stack or layer that a box would be in, were it not ungrouped or optional; none or one. */
function foldsAround({ chosen }: GraphState, { view, structure }: LaidOut, box: number) {
  const ungrouped = chosen.graph_ungrouped.value;
  const folds: { fold: string; isOptional: boolean }[] = [];
  if (structure !== null) {
    for (let at = structure.foldParent[view.entry[box] as number] ?? -1; at >= 0; at = structure.foldParent[at] ?? -1) {
      const fold = pathOf(structure, at);
      const isOptional = structure.optional.has(at);
      if ((isOptional || ungrouped.has(fold)) && boxAt(view, fold) < 0) {
        folds.push({ fold, isOptional });
      }
    }
  }
  return folds.slice(0, 1);
}

/** Paths of the optional stacks in a scope that are not made. */
function foldsInside({ chosen }: GraphState, { view, structure }: LaidOut, box: number): string[] {
  if (structure === null) {
    return [];
  }
  const folds = Array.from(rowOf(treeOf(structure).folds, view.entry[box] as number));
  const paths = folds.filter((fold) => structure.optional.has(fold)).map((fold) => pathOf(structure, fold));
  return paths.filter((path) => !chosen.graph_grouped.value.has(path) || chosen.graph_ungrouped.value.has(path));
}

// The menu of a box: beside the pointer, or below the button that opened it.

/** Where a menu is open, in CSS pixels of the stage, and on which box. */
export interface MenuAt {
  readonly path: string;
  readonly left: number;
  readonly top: number;
}

interface Props {
  readonly state: GraphState;
  readonly at: MenuAt;
  close(): void;
}

/** CSS pixels to the edge of the stage. */
const MARGIN_PX = 4;

export function Menu({ state, at, close }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const laidOut = state.laidOut.value;
  const box = laidOut === null ? -1 : boxAt(laidOut.view, at.path);
  useLayoutEffect(() => {
    const own = list.current;
    const stage = own?.offsetParent;
    if (own && stage) {
      const { left, top } = place({
        anchor: pointBox(at.left, at.top),
        size: { width: own.offsetWidth, height: own.offsetHeight },
        boundary: { left: 0, top: 0, right: stage.clientWidth, bottom: stage.clientHeight },
        ...{ side: "below", gap: 0, margin: MARGIN_PX },
      });
      Object.assign(own.style, { left: `${left}px`, top: `${top}px` });
    }
    own?.querySelector("button")?.focus({ preventScroll: true });
  }, [at]);
  useEffect(() => {
    const outside = ({ target }: Event) => {
      if (target instanceof Node && !list.current?.contains(target)) {
        close();
      }
    };
    document.addEventListener("pointerdown", outside, true);
    return () => document.removeEventListener("pointerdown", outside, true);
  }, [close]);
  if (laidOut === null || box < 0) {
    return null;
  }
  const actions = menuOf(state, laidOut, box);
  const leave = () => {
    close();
    state.canvas.peek()?.focus(at.path);
  };
  return (
    <div
      ref={list}
      class="tbwidget-menu"
      role="menu"
      aria-label={graphTexts().menu}
      onContextMenu={(event) => event.preventDefault()}
      onKeyDown={(event) => {
        const items = [...event.currentTarget.querySelectorAll("button")];
        const place = items.indexOf(event.target as HTMLButtonElement);
        const next = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: -1 }[event.key];
        event.stopPropagation();
        if (next !== undefined) {
          event.preventDefault();
          items.at(next % items.length)?.focus();
        } else if (event.key === "Escape" || event.key === "Tab") {
          event.preventDefault();
          leave();
        }
      }}
    >
      {actions.map(({ name, hint, do: act }) => (
        <button
          key={name}
          type="button"
          role="menuitem"
          title={hint}
          onClick={() => {
            leave();
            act();
          }}
        >
          {name}
        </button>
      ))}
      <button
        type="button"
        role="menuitem"
        onClick={({ currentTarget }) => {
          copyText(writtenName(at.path), currentTarget.closest("article") ?? currentTarget).then(leave);
        }}
      >
        {graphTexts().copyName}
      </button>
    </div>
  );
}
