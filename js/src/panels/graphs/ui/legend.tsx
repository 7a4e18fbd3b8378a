// The legend of shapes and colors: a small picture of each, and the colors that are on the screen now.

import type { ComponentChildren } from "preact";
import { formatCount } from "../../../lib/format";
import { useView } from "../../../ui/view";
import { type Colored, rampColor } from "../coloring";
import { EDGE_STYLES, EdgeKind, type EdgeStyle } from "../draw/edgestyles";
import type { Coloring } from "../options";
import type { GraphState } from "../state";
import { graphTexts } from "../texts";

/** Colors that are named, in the legend and in the key without it; the others are counted. */
const MAX_KEYS = 12;
const MAX_SHORT_KEYS = 4;

/** Stops of the ramp as it is drawn. */
const RAMP = [0, 0.25, 0.5, 0.75, 1];

interface Props {
  readonly state: GraphState;
  readonly colored: Colored | null;
}

export function Legend({ state, colored }: Props) {
  const texts = graphTexts().legendShapes;
  const coloring = state.chosen.graph_color_by.value;
  const close = () => {
    state.legend.value = false;
  };
  return (
    <aside class="tbwidget-graph-legend" aria-label={graphTexts().legendHint}>
      <button type="button" class="tbwidget-graph-legend-close" title={graphTexts().close} onClick={close}>
        <span aria-hidden="true">×</span>
      </button>
      <dl>
        {SHAPES.map(([name, shape]) => (
          <div key={name}>
            <dt>
              <svg viewBox="0 0 34 18" width="26" height="14" aria-hidden="true">
                {shape}
              </svg>
            </dt>
            <dd>{texts[name]}</dd>
          </div>
        ))}
      </dl>
      {coloring !== "none" && (
        <Colors coloring={coloring} colored={colored} waits={state.statistics.waits.value} limit={MAX_KEYS} />
      )}
    </aside>
  );
}

/** The meaning of the colors while the legend is closed; colors of structures have no names. */
export function ColorKey({ state, colored }: Props) {
  const coloring = state.chosen.graph_color_by.value;
  const isMeasured = coloring === "time" || coloring === "memory";
  return coloring === "none" || coloring === "structure" || (isMeasured && (colored?.most ?? null) === null) ? null : (
    <div class="tbwidget-graph-legend tbwidget-graph-key">
      <Colors coloring={coloring} colored={colored} waits={state.statistics.waits.value} limit={MAX_SHORT_KEYS} />
    </div>
  );
}

interface ColorsProps {
  readonly coloring: Exclude<Coloring, "none">;
  readonly colored: Colored | null;
  /** Colors that are named. */
  readonly limit: number;
  /** The colors belong to an earlier option until the kernel answers. */
  readonly waits: boolean;
}

function Colors({ coloring, colored, waits, limit }: ColorsProps) {
  const theme = useView().theme.value;
  const keys = colored?.keys ?? [];
  const most = colored?.most ?? null;
  return (
    <section>
      <p class="tbwidget-quiet">{graphTexts().legendColors[coloring]}</p>
      {(coloring === "device" || coloring === "cluster") && keys.length === 0 && <p>{graphTexts().noKeys[coloring]}</p>}
      {most !== null && (
        <>
          <p class="tbwidget-graph-ends" data-waits={waits ? "" : undefined}>
            <span>0</span>
            <i
              class="tbwidget-graph-ramp"
              style={{
                background: `linear-gradient(to right, ${RAMP.map((part) => rampColor(part, theme)).join(", ")})`,
              }}
            />
            <span>{most}</span>
          </p>
          <p class="tbwidget-quiet">{graphTexts().legendNotRun}</p>
        </>
      )}
      <ul>
        {keys.slice(0, limit).map(({ color, name, nodes }) => (
          <li key={name} title={name}>
            <i style={{ background: color }} />
            <bdi>{name}</bdi>
            <span class="tbwidget-quiet">{formatCount(nodes)}</span>
          </li>
        ))}
        {keys.length > limit && (
          <li class="tbwidget-quiet">{graphTexts().andMore(formatCount(keys.length - limit))}</li>
        )}
      </ul>
    </section>
  );
}

/** Three boxes, each so far beside the one before it. */
function stack(right: number, down: number): ComponentChildren {
  return [2, 1, 0].map((n) => (
    <rect key={n} x={4 + n * right} y={6 + n * down} width="22" height="9" rx="4" class="tbwidget-shape" />
  ));
}

/** Kinds in the order of the legend; MIXED is a data edge with the head of a reference. */
const LEGEND_EDGES = [EdgeKind.DATA, EdgeKind.CONTROL, EdgeKind.REFERENCE] as const;

/** Dash of an icon, in its own units: icons are drawn smaller than edges. */
const ICON_DASH = "3 2";

function edge({ color, dash, hasHead }: EdgeStyle): ComponentChildren {
  return (
    <path
      key="0"
      d={hasHead ? "M2 9h26m-5-3.5L29 9l-6 3.5" : "M32 9H6m5-3.5L5 9l6 3.5"}
      class={`tbwidget-shape-edge-${color}`}
      stroke-dasharray={dash.length > 0 ? ICON_DASH : undefined}
    />
  );
}

const SHAPES: readonly (readonly [keyof ReturnType<typeof graphTexts>["legendShapes"], ComponentChildren])[] = [
  ["scope", <rect key="0" x="3" y="2" width="28" height="14" rx="4" class="tbwidget-shape" />],
  ["op", <rect key="0" x="5" y="4" width="24" height="10" rx="5" class="tbwidget-shape" />],
  ["missing", <rect key="0" x="5" y="4" width="24" height="10" rx="5" class="tbwidget-shape-missing" />],
  ["stack", stack(2.5, 0)],
  ["series", stack(0, -2)],
  ["constant", <circle key="0" cx="17" cy="9" r="3.5" class="tbwidget-shape" />],
  ["summary", <path key="0" d="M11 14V9h3v5zM16 14V4h3v10zM21 14V7h3v7z" class="tbwidget-shape-full" />],
  ["partner", <path key="0" d="M4 5h20a4 4 0 010 8H4zM22 9H9m3-2.5L9 9l3 2.5" class="tbwidget-shape" />],
  ...LEGEND_EDGES.map((kind) => [EDGE_STYLES[kind].color, edge(EDGE_STYLES[kind])] as const),
];
