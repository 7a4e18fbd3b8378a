// The stage of a card: its canvases, what a pointer or keys do on them, and the buttons upon it.

import { effect, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { fitCanvas, type Point } from "../../charts/geometry";
import { actionAmong } from "../../charts/keyboard";
import { stillContent } from "../../charts/layout";
import { Moving } from "../../charts/moving";
import { type Orbit, pan, rotate, UPRIGHT, zoomAt } from "../../charts/orbit";
import { useCanvasSize } from "../../charts/pixelratio";
import { middleOf } from "../../charts/planecamera";
import { listen } from "../../charts/stagegestures";
import { labelFont } from "../../charts/text";
import { css, pageColors } from "../../charts/theme";
import { formatCount } from "../../lib/format";
import type { Theme } from "../../lib/tokens";
import type { LegendEntry } from "../../ui/mountchart";
import { pictureColors, useSavable } from "../../ui/save/cards";
import { tooltipId, useView } from "../../ui/view";
import { STAGE_KEYS, type StageAction } from "./keys";
import { paintRing, StagePainter } from "./paint";
import { type Box, extentOf, type Scene, wholeOrbit } from "./scene";
import type { Sheet } from "./sheet";
import { type CardState, TOOLS } from "./state";
import { projectorTexts } from "./texts";

/** Factor of the zoom by one press of a button or key. */
const ZOOM = 1.4;
const PAN_PX = 60;
const TURN = 0.15;

/** Radians that a pixel of a drag turns. */
const TURN_PER_PX = 0.008;

/** Three dimensions are seen a little from the side at first. */
const TILTED: Orbit["rotation"] = rotate(
  { rotation: UPRIGHT, center: [0, 0, 0], scale: 1, eye: null },
  -0.6,
  0.35,
).rotation;

interface Props {
  readonly tag: string;
  readonly title: string;
  /** Describes it to assistive technology. */
  readonly label: string;
  readonly scene: Scene;
  readonly sheet: Sheet | null;
  readonly state: CardState;
  readonly selected: readonly number[];
  select(points: readonly number[]): void;
  colorsIn(theme: Theme): Int32Array;
  legendIn(theme: Theme): readonly LegendEntry[];
  /** Whether a point has a place: without any, buttons have nothing to act on. */
  readonly hasPlaces: boolean;
  /** Text in a corner of the stage and of a saved picture. */
  readonly note: string;
  /** The tooltip of a point, and its spoken text. */
  tooltip(point: number): { readonly content: ComponentChildren; readonly spoken: string };
  /** Called in the frame that has drawn. */
  drawn(): void;
  readonly children: ComponentChildren;
}

export function Stage(props: Props) {
  const { scene, sheet, state, selected, children } = props;
  const view = useView();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const painter = useMemo(() => new StagePainter(), []);
  const redraw = useRef(() => {});
  const moving = useMemo(() => new Moving(() => redraw.current()), []);
  const size = useCanvasSize(host);
  const shape = useSignal<readonly Corner[] | null>(null);
  const isDense = useSignal(false);
  const theme = view.theme.value;

  const rotation = scene.planes.length > 2 ? TILTED : UPRIGHT;
  const orbitNow = (): Orbit => {
    const { scene: now } = latest.current;
    const own = state.camera.peek();
    const start = now.planes.length > 2 ? TILTED : UPRIGHT;
    return own?.key === now.key ? own.orbit : wholeOrbit(now, size.peek(), start);
  };
  const moveTo = (orbit: Orbit) => {
    leave();
    moving.moved();
    state.camera.value = { key: latest.current.scene.key, orbit };
  };
  const zoomBy = (factor: number, { x, y }: Point) => {
    const whole = wholeOrbit(latest.current.scene, size.peek(), UPRIGHT).scale;
    const orbit = orbitNow();
    const most = Math.min(factor, (1e5 * whole) / orbit.scale);
    moveTo(zoomAt(orbit, size.peek(), Math.max(most, Math.min(1, (0.2 * whole) / orbit.scale)), x, y));
  };
  const drawnSheet = () => (state.hasImages.peek() ? latest.current.sheet : null);
  const middle = () => middleOf(size.peek());
  const fitTo = (shown: Uint8Array | null, isWhole: boolean) => {
    const { planes, key } = latest.current.scene;
    const extent = extentOf(planes, shown, isWhole);
    state.camera.value = { key, orbit: wholeOrbit({ planes, extent }, size.peek(), orbitNow().rotation) };
  };
  const showAll = () => {
    if (state.filters.peek().size > 0) {
      fitTo(latest.current.scene.layers, false);
    } else {
      state.camera.value = null;
    }
  };
  const leave = () => {
    if (state.hovered.peek() !== null) {
      state.hovered.value = null;
      view.tooltip.value = null;
    }
  };
  const point = (at: number | null, byKeys = false) => {
    const place = at === null ? null : painter.placeOf(at);
    if (at === null || place === null) {
      leave();
      return;
    }
    // Scrolling takes the tooltip away from a point that stays hovered.
    if (at !== state.hovered.peek() || byKeys || view.tooltip.peek() === null) {
      const { left, top } = (host.current as HTMLElement).getBoundingClientRect();
      const { content, spoken } = latest.current.tooltip(at);
      state.hovered.value = at;
      view.tooltip.value = { left: left + place[0], top: top + place[1], content, spoken: byKeys ? spoken : "" };
    }
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again for another scene, picture or theme
  useEffect(() => {
    const [element, above] = [canvas.current, marks.current];
    if (element === null || above === null) {
      return;
    }
    const draw = () => {
      const now = latest.current;
      const page = pageColors(element, view.theme.peek());
      const { width, height, ratio } = size.peek();
      if (width >= 1 && height >= 1) {
        moving.draw(ratio, (coarseness) => {
          const covered = boxAround(buttons.current);
          const drawing = { ...now, sheet: drawnSheet(), orbit: orbitNow(), page, covered };
          isDense.value = painter.paint(element, size.peek(), ratio, drawing, coarseness);
        });
        paintMarks(above);
        now.drawn();
      }
    };
    const paintMarks = (above: HTMLCanvasElement) => {
      const context = above.getContext("2d");
      if (context === null) {
        return;
      }
      const { ratio } = size.peek();
      fitCanvas(above, size.peek(), ratio);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, above.width, above.height);
      context.scale(ratio, ratio);
      const hovered = state.hovered.peek();
      const place = hovered === null || !latest.current.scene.layers[hovered] ? null : painter.placeOf(hovered);
      if (place !== null) {
        paintRing(context, ...place);
      }
      paintShape(context, shape.peek(), css(pageColors(above, view.theme.peek()).foreground));
    };
    redraw.current = () => view.frames.request(element, draw);
    const ends = [
      effect(() => {
        const wanted = [state.camera.value, state.hasImages.value, size.value];
        view.frames.request(element, () => wanted && draw());
      }),
      effect(() => {
        const wanted = [state.hovered.value, shape.value];
        view.frames.request(above, () => wanted && paintMarks(above));
      }),
    ];
    return () => {
      for (const end of ends) {
        end();
      }
      view.frames.cancel(element);
      view.frames.cancel(above);
      redraw.current = () => {};
    };
  }, [scene, sheet, selected, theme, painter, moving, state, view]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: listens once; what it calls reads the latest
  useEffect(() => {
    const element = host.current?.querySelector<HTMLElement>("[data-stage]");
    if (element == null) {
      return;
    }
    /** The selection before the last single click: the second click of a double click shows everything, and selects nothing. */
    let before: readonly number[] = [];
    const choose = (points: readonly number[], isAdding: boolean) => {
      const { selected: own, select } = latest.current;
      select(isAdding ? [...new Set([...own, ...points])] : points);
    };
    const end = listen(
      element,
      {
        tool: ({ shiftKey, ctrlKey, metaKey }) => (shiftKey ? "lasso" : ctrlKey || metaKey ? "box" : state.tool.peek()),
        moved: ({ x: right, y: down }, isOther) => {
          const is3D = latest.current.scene.planes.length > 2;
          const orbit = orbitNow();
          moveTo(
            is3D && !isOther
              ? rotate(orbit, right * TURN_PER_PX, down * TURN_PER_PX)
              : pan(orbit, size.peek(), right, down),
          );
        },
        zoomed: zoomBy,
        hovered: (at) => point(at && painter.pointAt(at.x, at.y)),
        clicked: (at, { shiftKey, ctrlKey, metaKey }) => {
          const isAdding = shiftKey || ctrlKey || metaKey;
          const { selected: own, select } = latest.current;
          const found = painter.pointAt(at.x, at.y);
          before = own;
          if (found !== null) {
            select(isAdding ? toggled(own, found) : own.length === 1 && own[0] === found ? [] : [found]);
          } else if (own.length === 1 && !isAdding) {
            select([]);
          }
        },
        doubleClicked: () => {
          latest.current.select(before);
          showAll();
        },
        drawing: (corners, isBox) => {
          const [from, to] = corners;
          shape.value = isBox && from && to ? boxOf(from, to) : [...corners];
        },
        drawn: (corners, isBox, isAdding) => {
          shape.value = null;
          const [from, to] = corners ?? [];
          if (corners !== null && from && to) {
            const polygon = isBox ? boxOf(from, to) : corners;
            choose(pointsWithin(polygon, painter.places, latest.current.scene.layers), isAdding);
          }
        },
      },
      { hasRightDrag: true },
    );
    return () => {
      end();
      leave();
      moving.stop();
      painter.clear();
    };
  }, [painter, moving, state, view]);

  const act = (action: StageAction) => {
    switch (action.does) {
      case "turn":
      case "move": {
        const { right, down } = action;
        const orbit = orbitNow();
        moveTo(
          scene.planes.length > 2 && action.does === "turn"
            ? rotate(orbit, right * TURN, down * TURN)
            : pan(orbit, size.peek(), -right * PAN_PX, -down * PAN_PX),
        );
        break;
      }
      case "zoom":
        zoomBy(action.factor, middle());
        break;
      case "all":
        showAll();
        break;
      case "point":
        point(nextPoint(scene.layers, state.hovered.peek(), action.by), true);
        break;
      case "select": {
        const hovered = state.hovered.peek();
        if (hovered !== null) {
          props.select([hovered]);
        }
      }
    }
  };

  useSavable({
    element: () => host.current,
    ...{ title: props.title, tags: [props.tag] },
    picture: (other) => {
      const sizeNow = size.peek();
      if (sizeNow.width < 1 || sizeNow.height < 1) {
        return null;
      }
      const page = pictureColors(host.current, other, view);
      const drawing = {
        scene: { ...scene, colors: props.colorsIn(other) },
        sheet: drawnSheet(),
        orbit: orbitNow(),
        page,
        covered: null,
      };
      return {
        ...{ title: props.title, size: sizeNow, camera: { x: null, y: null }, legend: props.legendIn(other) },
        release: () => {},
        content: stillContent(({ context, ratio: pixels }) => {
          const picture = document.createElement("canvas");
          const isPictureDense = new StagePainter().paint(picture, sizeNow, Math.max(2, pixels), drawing);
          context.drawImage(picture, 0, 0, sizeNow.width * pixels, sizeNow.height * pixels);
          context.font = labelFont(pixels);
          context.fillStyle = css(page.foreground);
          context.textAlign = "left";
          context.textBaseline = "top";
          context.fillText(noteOf(props, isPictureDense), 6 * pixels, 6 * pixels);
        }),
      };
    },
  });

  return (
    <div ref={host} class="tbwidget-projector-stage">
      <canvas ref={canvas} />
      <canvas ref={marks} />
      <div
        class="tbwidget-projector-input"
        data-stage=""
        data-tool={state.tool.value}
        data-turns={rotation === TILTED ? "" : undefined}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move what is seen
        tabIndex={0}
        {...{ "aria-label": props.label, "aria-description": projectorTexts().stageKeys }}
        aria-describedby={tooltipId(view)}
        data-lm-suppress-shortcuts="true"
        onBlur={leave}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) {
            return;
          }
          if (event.key === "Escape" && (selected.length > 0 || state.hovered.peek() !== null)) {
            event.preventDefault();
            event.stopPropagation();
            leave();
            props.select([]);
            return;
          }
          const action = actionAmong<StageAction>(event, STAGE_KEYS);
          if (action !== undefined) {
            event.preventDefault();
            act(action);
          }
        }}
      />
      <p class="tbwidget-projector-note">
        {noteOf(props, isDense.value)}
        {scene.extent.outside > 0 && state.camera.value?.key !== scene.key && (
          <button type="button" class="tbwidget-link" onClick={() => fitTo(scene.layers, true)}>
            {projectorTexts().outside(scene.extent.outside, formatCount(scene.extent.outside))}
          </button>
        )}
      </p>
      {props.hasPlaces && (
        <div ref={buttons} class="tbwidget-projector-buttons">
          {sheet !== null && (
            <button
              type="button"
              title={projectorTexts().imagesHint}
              data-action="projector.images"
              aria-pressed={state.hasImages.value}
              onClick={() => {
                state.hasImages.value = !state.hasImages.peek();
              }}
            >
              {projectorTexts().images}
            </button>
          )}
          {TOOLS.map((tool) => (
            <button
              key={tool}
              type="button"
              title={projectorTexts().toolHints[tool]}
              data-action={`projector.tool_${tool}`}
              aria-pressed={state.tool.value === tool}
              onClick={() => {
                state.tool.value = tool;
              }}
            >
              {projectorTexts().tools[tool]}
            </button>
          ))}
          <button type="button" title={projectorTexts().fitHint} data-action="view.fit" onClick={showAll}>
            {projectorTexts().fit}
          </button>
          <button
            type="button"
            title={projectorTexts().zoomOut}
            data-action="view.zoom_out"
            onClick={() => zoomBy(1 / ZOOM, middle())}
          >
            <span aria-hidden="true">−</span>
          </button>
          <button
            type="button"
            title={projectorTexts().zoomIn}
            data-action="view.zoom_in"
            onClick={() => zoomBy(ZOOM, middle())}
          >
            <span aria-hidden="true">+</span>
          </button>
        </div>
      )}
      {children}
    </div>
  );
}

function noteOf({ note }: Props, isDense: boolean): string {
  return isDense ? projectorTexts().withDensity(note) : note;
}

/** The part of the stage that an element covers, with a margin. */
function boxAround(element: HTMLElement | null): Box | null {
  if (element === null) {
    return null;
  }
  const { offsetLeft: left, offsetTop: top, offsetWidth: width, offsetHeight: height } = element;
  return [left - 2, top - 2, left + width + 2, top + height + 2];
}

function toggled(points: readonly number[], point: number): readonly number[] {
  return points.includes(point) ? points.filter((one) => one !== point) : [...points, point];
}

/** The next drawn point in the order of rows, all around. */
function nextPoint(layers: Uint8Array, from: number | null, by: 1 | -1): number | null {
  const count = layers.length;
  let at = from ?? (by > 0 ? -1 : count);
  for (let i = 0; i < count; i += 1) {
    at = (at + by + count) % count;
    if (layers[at] !== 0) {
      return at;
    }
  }
  return null;
}

function paintShape(context: CanvasRenderingContext2D, shape: readonly Corner[] | null, color: string): void {
  const [first, ...others] = shape ?? [];
  if (first === undefined) {
    return;
  }
  context.beginPath();
  context.moveTo(...first);
  for (const corner of others) {
    context.lineTo(...corner);
  }
  context.closePath();
  context.fillStyle = context.strokeStyle = color;
  context.globalAlpha = 0.1;
  context.fill();
  context.globalAlpha = 0.7;
  context.lineWidth = 1;
  context.stroke();
  context.globalAlpha = 1;
}

// Points within a shape that is drawn on the stage.

type Corner = readonly [x: number, y: number];

/** The box between two corners, as a polygon. */
export function boxOf([left, top]: Corner, [right, bottom]: Corner): Corner[] {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
}

/** The points within a polygon, by the even-odd rule. `places`: all x, then all y. `shown`: 0 for those that are not drawn. */
export function pointsWithin(polygon: readonly Corner[], places: Float32Array, shown: Uint8Array): number[] {
  const count = shown.length;
  // Indexed arrays of numbers: each of 100,000 points meets each corner.
  const [xs, ys] = [Float64Array.from(polygon, ([x]) => x), Float64Array.from(polygon, ([, y]) => y)];
  const least = (values: Float64Array) => values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const most = (values: Float64Array) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const [left, right, top, bottom] = [least(xs), most(xs), least(ys), most(ys)];
  const found: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const [x, y] = [places[i] as number, places[count + i] as number];
    if (shown[i] !== 0 && x >= left && x <= right && y >= top && y <= bottom && isWithin(xs, ys, x, y)) {
      found.push(i);
    }
  }
  return found;
}

function isWithin(xs: Float64Array, ys: Float64Array, x: number, y: number): boolean {
  let inside = false;
  let before = xs.length - 1;
  for (let corner = 0; corner < xs.length; corner += 1) {
    const [toY, fromY] = [ys[corner] as number, ys[before] as number];
    if (toY > y !== fromY > y) {
      const toX = xs[corner] as number;
      if (x < (((xs[before] as number) - toX) * (y - toY)) / (fromY - toY) + toX) {
        inside = !inside;
      }
    }
    before = corner;
  }
  return inside;
}
