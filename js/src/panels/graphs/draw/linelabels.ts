// What lines carry, written beside them where there is room.

import { formatCount } from "../../../lib/format";
import { lineWidth } from "../layout/thickness";
import type { Rows } from "../model/structure";
import { rowOf } from "../pageprogram";
import { bodyColor } from "./boxes";
import type { Frame } from "./frame";
import { LEAST } from "./labels";
import { Obstacles, obstaclesOf } from "./obstacles";
import { fontOf, widthOf } from "./pen";
import { LineKind, type Prepared, Tone } from "./prepared";
import type { Scene } from "./scene";
import { graphDrawingTexts } from "./texts";

/** Units of the layout: the font's size, what is between a line and what is beside it, and the height of marks. */
const SIZE = 9;
const GAP = 3;
const MARK = 10;
/** Units of the layout that an arrow head is wide, about. */
const HEAD = 6;
/** Height of a line of text, as a multiple of its size. */
const LINE = 1.1;
/** Where letters could not be read, they are larger in comparison to the rest by a power of this, up to the greatest one. */
const LARGER = 1.25;
const MOST_LARGER = 4;
/** Characters of a shape that are written. */
const MOST_CHARACTERS = 40;
/** A stretch is steep up to so much width per height. */
const STEEP = 0.3;
/** Units of the layout: lines that are thicker are never written upon. */
const THICK = 2;
/** Stretches of a line beside which room is looked for. */
const MOST_TRIES = 4;

/** Where a line's label is: its left end and its middle, in units of the layout, and whether it is on a line. */
interface Place {
  readonly x: number;
  readonly y: number;
  readonly isOn: boolean;
}

/** Labels of one size. */
interface Sized {
  readonly places: Map<number, Place | null>;
  readonly labels: Obstacles;
}

/** Finds places once for each line and size, when it is first seen close enough. */
export class LineLabels {
  readonly #scene: Scene;
  readonly #texts = new Map<number, string>();
  readonly #sized: Sized[] = [];
  #obstacles: Obstacles | null = null;

  constructor(scene: Scene) {
    this.#scene = scene;
  }

  draw(frame: Frame, lines: Int32Array): void {
    const { pen, prepared, colors, k, dx, dy, ratio } = frame;
    const larger = Math.max(0, Math.ceil(Math.log((LEAST * ratio) / (SIZE * k)) / Math.log(LARGER)));
    if (larger > MOST_LARGER) {
      return;
    }
    const size = Math.max(SIZE * k, LEAST * ratio);
    pen.font = fontOf(size);
    pen.textAlign = "left";
    for (const line of lines) {
      const text = prepared.lineKind[line] === LineKind.CONTROL ? "" : this.#textOf(line);
      const place = text === "" ? null : this.#placeOf(prepared, line, text, larger);
      if (place !== null) {
        const [x, y] = [place.x * k + dx, place.y * k + dy];
        if (place.isOn) {
          pen.fillStyle = groundOf(frame, line);
          pen.fillRect(x - ratio, y - size / 2, widthOf(text) * size + 2 * ratio, size);
        }
        const tone = prepared.lineTone[line];
        pen.fillStyle = tone === Tone.EMPHASIZED ? colors.accent : tone === Tone.FAINT ? colors.faint : colors.quiet;
        pen.fillText(text, x, y + size * 0.35);
      }
    }
  }

  #textOf(line: number): string {
    const text = this.#texts.get(line) ?? carried(this.#scene, line);
    this.#texts.set(line, text);
    return text;
  }

  #placeOf(prepared: Prepared, line: number, text: string, larger: number): Place | null {
    this.#sized[larger] ??= { places: new Map(), labels: new Obstacles() };
    const { places, labels } = this.#sized[larger];
    let place = places.get(line);
    if (place === undefined) {
      const size = SIZE * LARGER ** larger;
      const [width, height] = [widthOf(text) * size, LINE * size];
      this.#obstacles ??= obstaclesOf(this.#scene, prepared, MARK);
      const all = [this.#obstacles, labels];
      const isFree = ({ x, y }: Place, ignores: (other: number) => boolean) =>
        !all.some((some) => some.isTaken(x, y - height / 2, width, height, ignores));
      const widthOfLine = (other: number) => lineWidth(prepared.lineLevel[other] as number);
      const candidates = this.#candidates(
        line,
        width,
        height,
        widthOfLine(line),
        this.#scene.layout.lines.room[line] as number,
      );
      place = candidates.find((one) => isFree(one, (other) => other === line)) ?? null;
      if (place === null && larger === 0) {
        // Rather upon a thin line than nowhere.
        const upon = candidates.find((one) => isFree(one, (other) => other === line || widthOfLine(other) <= THICK));
        place = upon === undefined ? null : { ...upon, isOn: true };
      }
      places.set(line, place);
      if (place !== null) {
        labels.add(-1, place.x, place.y - height / 2, width, height);
      }
    }
    return place;
  }

  /** At the middle of its stretches, the middle one first: beside steep ones, above, below or on flat ones; then at its ends. */
  #candidates(line: number, width: number, height: number, thick: number, room: number): Place[] {
    const { start, points } = this.#scene.layout.lines;
    const [from, to] = [start[line] as number, start[line + 1] as number];
    const stretches = to - from - 1;
    const found: Place[] = [];
    for (let attempt = 0; attempt < Math.min(stretches, MOST_TRIES); attempt++) {
      // 0, 1, -1, 2, -2 … stretches from the middle.
      const aside = attempt % 2 === 1 ? (attempt + 1) / 2 : -attempt / 2;
      const i = from + Math.floor((stretches - 1) / 2) + aside;
      if (i < from || i + 1 >= to) {
        continue;
      }
      const x = ((points[2 * i] as number) + (points[2 * i + 2] as number)) / 2;
      const y = ((points[2 * i + 1] as number) + (points[2 * i + 3] as number)) / 2;
      const across = Math.abs((points[2 * i + 2] as number) - (points[2 * i] as number));
      const up = Math.abs((points[2 * i + 3] as number) - (points[2 * i + 1] as number));
      if (across <= STEEP * up) {
        const away = GAP + thick / 2;
        found.push({ x: x + away, y, isOn: false }, { x: x - away - width, y, isOn: false });
        continue;
      }
      // A line from box to box is less steep in its middle.
      const rise = Math.min(up, (up / across) * width) / (stretches === 1 ? 4 : 2);
      const away = thick / 2 + height / 2 + rise;
      const left = x - width / 2;
      found.push({ x: left, y: y - away, isOn: false }, { x: left, y: y + away, isOn: false });
      if (thick <= THICK) {
        found.push({ x: left, y, isOn: true });
      }
    }
    // At its ends, on the sides that the line leads away from: not in a row of lines.
    for (const [end, next] of room < width ? [] : [[from, from + 1] as const, [to - 1, to - 2] as const]) {
      const [x, y] = [points[2 * end] as number, points[2 * end + 1] as number];
      const [dx, dy] = [(points[2 * next] as number) - x, (points[2 * next + 1] as number) - y];
      const away = GAP + Math.max(thick, HEAD) / 2;
      const middle = y + Math.sign(dy) * Math.min(Math.abs(dy) / 2, height / 2 + 1);
      found.push({ x: dx > 0 ? x - away - width : x + away, y: middle, isOn: false });
    }
    return found;
  }
}

/** The color behind a line: that of the scope that it is in. */
function groundOf(frame: Frame, line: number): string {
  const { places } = frame;
  const { parent } = frame.scene.view;
  const [source, target] = [places.lines.source[line] as number, places.lines.target[line] as number];
  const inner = parent[source] === target ? target : (parent[source] as number);
  const scope = parent[target] === source ? source : inner;
  return scope < 0 ? frame.colors.paper : bodyColor(frame, scope);
}

/** The shape of the one tensor that a line stands for, or how many they are; "" where that is not known. */
export function carried({ view, layout }: Scene, line: number): string {
  const { shape, tensors } = view.edges;
  const { groups, groupStart } = layout.lines;
  const all = groups.subarray(groupStart[line] as number, groupStart[line + 1] as number);
  const distinct = new Set<number>();
  for (const group of tensors === null ? [] : all) {
    for (const tensor of rowOf(tensors as Rows, group)) {
      distinct.add(tensor);
    }
  }
  if (distinct.size > 1) {
    return graphDrawingTexts().tensors(distinct.size, formatCount(distinct.size));
  }
  const text = distinct.size === 1 || all.length === 1 ? (shape[all[0] as number] as string) : "";
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
