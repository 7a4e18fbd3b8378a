// The one row at the top: the state of the dashboard, the tabs of its panels, and its buttons.

import type { ComponentChildren } from "preact";
import { RunName } from "../ui/runname";
import { useView } from "../ui/view";
import { AlertsMenu } from "./alerts";
import { keyName } from "./commands/keys";
import { shellOf } from "./commands/shell";
import { commandTexts } from "./commands/texts";
import { ProblemsMenu } from "./problems";
import type { State } from "./state";
import { StatusMenu } from "./status";
import { dashboardTexts } from "./texts";
import "./header.css";

/** The directory itself as a run: its path says its name. */
const ROOT = ".";

interface Props {
  readonly state: State;
  readonly runsOpen: boolean;
  onToggleRuns(): void;
  /** The tabs, where there are several panels. */
  readonly children: ComponentChildren;
}

export function Header({ state, runsOpen, onToggleRuns, children }: Props) {
  const view = useView();
  const runs = view.channel.store.runs.value;
  const [only] = runs.length === 1 ? runs : [];
  return (
    <header class="tbwidget-header">
      {runs.length > 0 && (
        <button
          type="button"
          class="tbwidget-toggle"
          title={dashboardTexts().toggleRuns}
          aria-expanded={runsOpen}
          onClick={onToggleRuns}
        >
          <span />
        </button>
      )}
      <StatusMenu state={state} />
      {only !== undefined && only !== ROOT && (
        <span class="tbwidget-single-run" data-tight={view.widthClass.value === "wide" ? undefined : ""} title={only}>
          <RunName run={only} />
        </span>
      )}
      {children}
      <span class="tbwidget-header-end">
        <AlertsMenu />
        <ProblemsMenu />
        <HeaderTools />
        <Maximize />
      </span>
    </header>
  );
}

/** The buttons that open the palette and the sheet of keys and gestures. */
function HeaderTools() {
  const { sheet } = shellOf(useView());
  const tool = (opens: "palette" | "help", hint: string, keys: string, path: string) => (
    <button
      type="button"
      class="tbwidget-header-tool"
      title={hint}
      aria-label={commandTexts()[opens]}
      aria-keyshortcuts={keys}
      aria-haspopup="dialog"
      onClick={() => {
        sheet.value = opens;
      }}
    >
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
  const glass = "M10.2 6a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0zM9.1 9.1l3.4 3.4";
  const questionMark = "M4.6 5a2.4 2.4 0 1 1 3.5 2.1C7.3 7.6 7 8 7 8.8M7 11.4v.1";
  return (
    <>
      {tool("palette", commandTexts().paletteHint(keyName("Mod+K")), "Control+K /", glass)}
      {tool("help", commandTexts().helpHint(keyName("?")), "?", questionMark)}
    </>
  );
}

/** The button that shows the dashboard over the whole window, and at its place again. */
function Maximize() {
  const { isMaximized } = useView();
  const name = isMaximized.value ? dashboardTexts().restore : dashboardTexts().maximize;
  return (
    <button
      type="button"
      class="tbwidget-maximize"
      title={isMaximized.value ? `${name} (${keyName("Escape")})` : name}
      aria-label={isMaximized.value ? name : undefined}
      aria-pressed={isMaximized.value}
      onClick={() => {
        isMaximized.value = !isMaximized.peek();
      }}
    >
      <svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true">
        <path
          d={
            isMaximized.value
              ? "M5.5 1.5v4h-4M8.5 1.5v4h4M5.5 12.5v-4h-4M8.5 12.5v-4h4"
              : "M1.5 5V1.5H5M9 1.5h3.5V5M1.5 9v3.5H5M9 12.5h3.5V9"
          }
        />
      </svg>
    </button>
  );
}
