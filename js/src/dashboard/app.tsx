// The dashboard: header, list of runs, cards.

import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isForced } from "../charts/theme";
import { formatCount } from "../lib/format";
import { rootClass } from "../lib/styles";
import { direction, locale } from "../lib/texts";
import { FORCED_COLORS } from "../lib/tokens";
import { CheckpointDialog } from "../lines/checkpointlist";
import { bringIntoSight, cardOfTag } from "../ui/cardgrid";
import { Expandable } from "../ui/expandable";
import { Message } from "../ui/message";
import { type Panel, undrawnKinds } from "../ui/panel";
import { StepControl } from "../ui/stepcontrol";
import { uiTexts } from "../ui/texts";
import { Tooltip } from "../ui/tooltip";
import { useView, type View, ViewContext } from "../ui/view";
import { listsRuns } from "../ui/widths";
import { useKeptFocus, useMovedFocus } from "./commands/focus";
import { Sheets } from "./commands/sheets";
import { hasSideTabs, SIDE_TABS, shellOf } from "./commands/shell";
import { Header } from "./header";
import { HeightHandle, heightStyle } from "./height";
import { Runs, WaitsForRuns } from "./runs/pane";
import { type State, stateOf } from "./state";
import { secondsBehind } from "./statustext";
import { TabPanel, Tabs } from "./tabs";
import { Tags } from "./tags/pane";
import { dashboardTexts } from "./texts";
import "./base.css";
import "./main.css";

interface Props {
  readonly view: View;
  /** All panels that there are. */
  readonly panels: readonly Panel[];
}

export function App({ view, panels }: Props) {
  const { options, channel } = view;
  const { store, askedAt, loss } = channel;
  const main = useRef<HTMLDivElement>(null);
  const board = useRef<HTMLElement>(null);
  const runsToggled = useSignal<boolean | null>(null);
  // Also with the panels that have no grid, or a small one: the width of cards does not jump from tab to tab.
  const hadManyTags = useRef(false);
  hadManyTags.current ||= (view.grid.value?.tags.value.length ?? 0) >= MIN_TAGS_FOR_SIDE_BAR;
  const isListed = view.panel.value?.listsRuns === true && view.widthClass.value !== "wide";
  const runsOpen =
    runsToggled.value ??
    ((!isListed && listsRuns(store.runs.value, view.widthClass.value, options.runTable.run_columns.value.length > 0)) ||
      options.runs.noneThere.value ||
      (view.widthClass.value === "wide" && hadManyTags.current));
  const kinds = store.status.value?.kinds ?? [];
  const tabs = view.tabs.value;
  const shown = view.panel.value;
  const hasData = shown !== undefined;
  const isLastView = store.isLastView.value;
  const saved = store.savedAt.value !== null;
  const isMaximized = view.isMaximized.value;
  // Canvases keep the colors that they were drawn in: mount the panel again.
  const hasForcedColors = useForcedColors();
  const height = useHeightBefore(board, shown?.name, isMaximized);
  useKeptPlace(main, view, isMaximized);
  useKeptFocus(board, shown?.name);
  useMovedFocus(board);
  const state = stateOf({
    now: view.now.value,
    incompatible: store.failed.value,
    // No kernel answers a saved page, and none has been heard by a last view.
    connected: saved ? !isLastView : loss.value === null,
    settled: store.settled.value,
    stopped: store.status.value?.reading?.phase === "stopped",
    hasData,
    askedAt: saved ? null : askedAt.value,
    coarseAt: saved ? null : view.coarseAt.value,
    cellAt: saved ? null : store.cellAt.value,
    changedAt: store.changedAt.value,
    fresh: store.status.value?.fresh === true,
  });

  useLayoutEffect(() => {
    const toggle = () => {
      runsToggled.value = !runsOpen;
    };
    shellOf(view).sideBar.value = hasData ? { isOpen: runsOpen, toggle } : null;
  }, [view, runsOpen, hasData, runsToggled]);

  // Before the first frame, so that it shows the data that are here already.
  useLayoutEffect(() => {
    const element = main.current;
    if (element === null) {
      return;
    }
    view.visibility.connect(element, true);
    const measure = () => {
      view.width.value = element.clientWidth;
    };
    measure();
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    return () => {
      view.visibility.disconnect();
      sizes.disconnect();
    };
  }, [view]);

  return (
    <ViewContext.Provider value={view}>
      <section
        ref={board}
        class={rootClass("tbwidget")}
        // Where it is pressed beside any control, its keys are heard as well.
        tabIndex={-1}
        lang={locale()}
        dir={direction()}
        data-state={state}
        data-behind={(state !== "disconnected" && secondsBehind(channel, view.now.value)) || undefined}
        data-last-view={isLastView ? "" : undefined}
        data-theme={view.theme.value}
        data-narrow={view.widthClass.value === "narrow" ? "" : undefined}
        data-wide={view.widthClass.value === "wide" ? "" : undefined}
        style={heightStyle(options.board.height.value, height)}
      >
        <Expandable
          label={dashboardTexts().dashboard}
          class="tbwidget-board"
          // The same dashboard at its place in the notebook, and over the whole window.
          expanded={isMaximized}
          focus={(element) => element.querySelector<HTMLElement>(".tbwidget-maximize")?.focus()}
          leave={() => {
            view.isMaximized.value = false;
          }}
        >
          <Header
            state={state}
            runsOpen={runsOpen}
            onToggleRuns={() => {
              runsToggled.value = !runsOpen;
            }}
          >
            {shown && tabs.length > 1 && <Tabs tabs={tabs} shown={shown} />}
          </Header>
          <TabPanel tabs={tabs} shown={shown}>
            {shown && <shown.Toolbar key={shown.name} />}
            <PreviewBar />
            <div class="tbwidget-body">
              {hasData && runsOpen && <SideBar />}
              <div ref={main} class="tbwidget-main">
                {!runsOpen && <WaitsForRuns />}
                {shown ? <shown.Body key={`${shown.name} ${hasForcedColors}`} /> : <Waiting state={state} />}
              </div>
            </div>
            <StepControl />
            {options.onlyPanel === null && <Undrawn kinds={undrawnKinds(panels, kinds)} />}
          </TabPanel>
        </Expandable>
        <CheckpointDialog />
        <Sheets board={board} />
        {!isMaximized && <HeightHandle board={board} least={height} />}
        <Tooltip />
        <Message />
      </section>
    </ViewContext.Provider>
  );
}

/** Whether the user has chosen all colors of pages. */
function useForcedColors(): boolean {
  const [found, setFound] = useState(isForced);
  useEffect(() => {
    // Not read itself: Chromium sends no event of a change that was read before.
    const query = matchMedia(FORCED_COLORS);
    const update = () => setFound(isForced());
    query.addEventListener("change", update);
    return () => query.removeEventListener("change", update);
  }, []);
  return found;
}

/** Height of the board in CSS pixels with the former tab, or before it was maximized: the notebook below does not move. */
function useHeightBefore(board: RefObject<HTMLElement | null>, tab: string | undefined, isMaximized: boolean): number {
  const before = useRef({ tab, isMaximized, height: 0 });
  if (before.current.tab !== tab || before.current.isMaximized !== isMaximized) {
    // Nothing of the other tab is in the page yet.
    const isLeft = before.current.isMaximized && !isMaximized;
    const height = before.current.tab === undefined || isLeft ? 0 : (board.current?.offsetHeight ?? 0);
    before.current = { tab, isMaximized, height };
  }
  return before.current.height;
}

/** Keeps the first card on the screen there when the dashboard is maximized, and when it is not any more. */
function useKeptPlace(main: RefObject<HTMLElement | null>, view: View, isMaximized: boolean): void {
  const was = useRef(isMaximized);
  const tag = was.current !== isMaximized && (main.current?.scrollTop ?? 0) > 0 ? view.inSight.peek()[0] : undefined;
  useLayoutEffect(() => {
    was.current = isMaximized;
    const card = tag === undefined || main.current === null ? undefined : cardOfTag(tag, main.current);
    if (card !== undefined) {
      bringIntoSight(card);
    }
  });
}

/** Tells the other panels that they show the runs brushed in one panel's plot. */
function PreviewBar() {
  const { options, panel } = useView();
  const preview = options.runs.preview.value;
  if (preview === null || !options.runs.isPreviewing.value || panel.value?.name === preview.panel) {
    return null;
  }
  return (
    <div class="tbwidget-preview" role="status">
      <span title={uiTexts().previewHint}>{uiTexts().preview(preview.label.value)}</span>
      <button
        type="button"
        class="tbwidget-link"
        title={dashboardTexts().onlyTheseHint}
        onClick={() => preview.commit()}
      >
        {preview.commitLabel.value}
      </button>
      <button type="button" class="tbwidget-link" title={uiTexts().endPreviewHint} onClick={() => preview.end()}>
        {uiTexts().endPreview}
      </button>
    </div>
  );
}

interface UndrawnProps {
  /** Kinds that have data and no panel. */
  readonly kinds: readonly string[];
}

/** The logged kinds that have no tab, each with the Python that reads it. */
function Undrawn({ kinds }: UndrawnProps) {
  if (kinds.length === 0) {
    return null;
  }
  const names: Readonly<Record<string, string>> = uiTexts().kinds;
  const readers: Readonly<Record<string, string>> = uiTexts().undrawn.readers;
  const code = kinds.map((kind) => readers[kind]).filter((one) => one !== undefined);
  return (
    <p class="tbwidget-hint tbwidget-undrawn">
      <span>{uiTexts().undrawn.kinds(kinds.map((kind) => names[kind] ?? kind))}</span>
      {code.length > 0 && (
        <span title={uiTexts().undrawn.logsHint}>
          {uiTexts().undrawn.inPython}{" "}
          {code.map((one) => (
            <code key={one}>{one}</code>
          ))}
        </span>
      )}
    </p>
  );
}

/** Takes the place of a panel without data, and says why. */
function Waiting({ state }: { readonly state: State }) {
  const { store } = useView().channel;
  const status = store.status.value;
  if (state === "error") {
    return (
      <div class="tbwidget-waiting">
        <h4>{dashboardTexts().incompatibleData}</h4>
        <p>{dashboardTexts().incompatibleHint}</p>
      </div>
    );
  }
  if (state === "reading" || status === null) {
    return (
      <div class="tbwidget-skeleton" aria-hidden="true">
        <i />
        <i />
        <i />
      </div>
    );
  }
  if (status.reading?.phase === "stopped") {
    return (
      <div class="tbwidget-waiting">
        <h4>{dashboardTexts().stoppedBefore}</h4>
        <code>{status.path}</code>
      </div>
    );
  }
  const { emptyFiles } = status;
  // Kinds that no panel draws are data too.
  if (emptyFiles > 0 && status.kinds.length === 0) {
    return (
      <div class="tbwidget-waiting">
        <h4>{dashboardTexts().emptyFiles(emptyFiles, formatCount(emptyFiles))}</h4>
        <code>{status.path}</code>
        <p>
          {dashboardTexts()
            .heldBack.split("`")
            .map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}
        </p>
      </div>
    );
  }
  // Remote storage may refuse to list the directory.
  const refused = status.exists ? undefined : store.problems.value.find(({ path }) => path === ".");
  const missing = refused === undefined ? dashboardTexts().noDirectory : dashboardTexts().unreadableDirectory;
  return (
    <div class="tbwidget-waiting">
      <h4>{status.exists ? dashboardTexts().noData : missing}</h4>
      <code>{status.path}</code>
      <p>{refused?.message ?? dashboardTexts().lookedFor}</p>
    </div>
  );
}

/** From this many tags on their tree is worth the place of a list of one run. */
export const MIN_TAGS_FOR_SIDE_BAR = 61;

export function SideBar() {
  const view = useView();
  const chosen = shellOf(view).sideTab;
  const grid = view.grid.value;
  const runs = view.channel.store.runs.value.length;
  const tags = grid?.tags.value.length ?? 0;
  if (grid === null || !hasSideTabs(view)) {
    return <Runs />;
  }
  const shown = chosen.value ?? (runs === 1 && tags >= MIN_TAGS_FOR_SIDE_BAR ? "tags" : "runs");
  const names = { runs: [dashboardTexts().runs, runs], tags: [dashboardTexts().tagTree.tab, tags] } as const;
  const tabs = (
    <fieldset
      class="tbwidget-side-tabs"
      aria-label={dashboardTexts().tagTree.sideBar}
      data-lm-suppress-shortcuts="true"
    >
      {SIDE_TABS.map((tab) => (
        <button
          key={tab}
          type="button"
          aria-pressed={tab === shown}
          onClick={() => {
            chosen.value = tab;
          }}
        >
          {names[tab][0]} <span class="tbwidget-quiet">{formatCount(names[tab][1])}</span>
        </button>
      ))}
    </fieldset>
  );
  return shown === "runs" ? <Runs>{tabs}</Runs> : <Tags grid={grid}>{tabs}</Tags>;
}
