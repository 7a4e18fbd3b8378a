// Bytes of the wire → a structure, a first view, statistics. All that is used as an index is checked here
// once, so that nothing behind it runs out of bounds or in cycles.

import { count, isRow, list, ProtocolError, type Row, row } from "../../../wire/columns";
import { reasonIn } from "../../../wire/reasons";
import { FoldKind, Inlined, Role, type Rows, type Structure } from "./structure";
import { BoxKind, type View } from "./view";

type Numbers = ArrayLike<number>;

export async function decodeStructure(bytes: Uint8Array): Promise<Structure> {
  const { header, column } = await readContainer(bytes);
  const nodeCount = count(header.nodes);
  const root = count(header.root);
  const itemCount = count(header.items);
  const entryCount = count(header.entries);
  check(nodeCount <= root && root < itemCount && itemCount <= entryCount, "counts");
  const folded = entryCount - itemCount;
  const source = column("source", "i4");
  const edges = source.length;
  const texts = (name: string) => strings(header[name], name);
  const problems = list(header.problems).filter(isRow);
  const structure: Structure = {
    nodeCount,
    root,
    itemCount,
    entryCount,
    labels: texts("labels"),
    callLabels: numbered(header.call_labels, nodeCount, text),
    parent: column("parent", "i4", entryCount),
    foldParent: column("fold_parent", "i4", entryCount),
    foldKind: column("fold_kind", "u1", folded),
    representative: column("representative", "i4", folded),
    odd: numbered(header.odd, entryCount, (value) => strings(value, "odd")),
    unordered: new Set(list(header.unordered).map(count)),
    optional: new Set(list(header.optional).map(count)),
    role: column("role", "u1", entryCount),
    alike: column("alike", "i4", itemCount - root),
    op: column("op", "i4", root),
    device: column("device", "i4", root),
    cluster: column("cluster", "i4", root),
    embedded: column("embedded", "u1", root),
    outputs: column("outputs", "i4", root),
    ops: texts("ops"),
    devices: texts("devices"),
    clusters: texts("clusters"),
    shapes: list(header.shapes).map((shapes) => strings(shapes, "shapes")),
    source,
    target: column("target", "i4", edges),
    carrier: column("carrier", "i4", edges),
    slot: column("slot", "i4", edges),
    reference: column("reference", "u1", edges),
    size: column("size", "f8", edges),
    annotations: { start: column("annotation_start", "i4", root + 1), items: column("annotation_items", "i4") },
    functions: texts("functions"),
    isTorch: header.is_torch === true,
    get problems() {
      return problems.map((problem) => reasonIn(problem) ?? "");
    },
    opened: texts("opened"),
  };
  check(structure.labels.length === entryCount, "labels");
  checkTree(structure);
  checkNodes(structure);
  within(source, 0, root, "source");
  within(structure.target, 0, root, "target");
  within(structure.carrier, -1, root, "carrier");
  within(structure.slot, -1, Infinity, "slot");
  within(structure.size, 0, Infinity, "size");
  return structure;
}

/** Every scope stands behind its parent, and every box of a fold behind its content. */
function checkTree(structure: Structure): void {
  const { root, itemCount, entryCount, parent, foldParent, foldKind, representative } = structure;
  check(parent[root] === -1, "parent");
  for (let entry = 0; entry < entryCount; entry += 1) {
    const above = parent[entry] as number;
    const around = foldParent[entry] as number;
    const most = entry > root && entry < itemCount ? entry : itemCount;
    check(entry === root || (above >= root && above < most), "parent");
    const isTop = around === -1;
    const isInFold = around >= itemCount && around < entryCount && around > entry && parent[around] === above;
    check(isTop || (isInFold && entry !== root), "fold_parent");
  }
  for (let fold = 0; fold < foldKind.length; fold += 1) {
    const kind = foldKind[fold] as number;
    const first = representative[fold] as number;
    check(kind >= FoldKind.LAYER && kind <= FoldKind.MEMBER, "fold_kind");
    check(kind !== FoldKind.STACK || foldParent[first] === itemCount + fold, "representative");
  }
}

function checkNodes(structure: Structure): void {
  within(structure.op, 0, structure.ops.length, "op");
  within(structure.device, 0, structure.devices.length, "device");
  within(structure.cluster, 0, structure.clusters.length, "cluster");
  within(structure.embedded, 0, Inlined.PLUMBING + 1, "embedded");
  within(structure.outputs, -1, structure.shapes.length, "outputs");
  within(structure.alike, -1, Infinity, "alike");
  within(structure.role, 0, Role.LARGE + 1, "role");
  checkRows(structure.annotations, structure.root, "annotations");
}

function checkRows({ start, items }: Rows, most: number, name: string): void {
  check(start[0] === 0 && start.at(-1) === items.length, name);
  for (let row = 1; row < start.length; row += 1) {
    check((start[row] as number) >= (start[row - 1] as number), name);
  }
  within(items, 0, most, name);
}

/** The first view; null where it was too large to be sent ahead of the structure. */
export async function decodeRoot(bytes: Uint8Array): Promise<View | null> {
  const { header, column } = await readContainer(bytes);
  if (header.large === true) {
    return null;
  }
  const kind = column("kind", "u1");
  const boxes = kind.length;
  const source = column("source", "i4");
  const bundles = source.length;
  const view: View = {
    count: boxes,
    path: strings(header.path, "path", boxes),
    label: strings(header.label, "label", boxes),
    kind,
    parent: column("parent", "i4", boxes),
    entry: new Int32Array(boxes).fill(-1),
    op: strings(header.op, "op", boxes),
    nodes: column("nodes", "i4", boxes),
    copies: column("copies", "i4", boxes),
    odd: list(header.odd).map((labels) => strings(labels, "odd")),
    alike: column("alike", "i4", boxes),
    unordered: column("unordered", "u1", boxes),
    role: column("role", "u1", boxes),
    open: column("open", "u1", boxes),
    edges: {
      count: bundles,
      source,
      target: column("target", "i4", bundles),
      data: column("data", "i4", bundles),
      control: column("control", "i4", bundles),
      reference: column("reference", "i4", bundles),
      size: column("size", "f8", bundles),
      shape: strings(header.shape, "shape", bundles),
      tensors: null,
    },
  };
  within(kind, 0, BoxKind.MISSING + 1, "kind");
  within(view.role, 0, Role.LARGE + 1, "role");
  within(view.open, 0, 2, "open");
  check(view.odd.length === boxes && view.parent.every((around, box) => around >= -1 && around < box), "parent");
  within(source, 0, boxes, "source");
  within(view.edges.target, 0, boxes, "target");
  within(view.edges.size, 0, Infinity, "size");
  return view;
}

/** Cost of each node in one step. */
export interface Statistics {
  /** Microseconds, by node; NaN where it did not run. */
  readonly time: Float64Array;
  /** Bytes, by node; NaN where nothing is known. */
  readonly memory: Float64Array;
  /** Every device of the step. */
  readonly devices: readonly string[];
}

export async function decodeStatistics(bytes: Uint8Array, structure: Structure): Promise<Statistics> {
  const { header, column } = await readContainer(bytes);
  const length = structure.root;
  return {
    time: column("time", "f8", length),
    memory: column("memory", "f8", length),
    devices: strings(header.devices, "devices"),
  };
}

function within(column: Numbers, least: number, most: number, name: string): void {
  for (let i = 0; i < column.length; i += 1) {
    const value = column[i] as number;
    check(value >= least && value < most, name);
  }
}

function strings(value: unknown, name: string, length?: number): readonly string[] {
  const texts = list(value);
  check(texts.every((entry) => typeof entry === "string") && (length ?? texts.length) === texts.length, name);
  return texts as readonly string[];
}

function text(value: unknown): string {
  check(typeof value === "string", "call_labels");
  return value as string;
}

/** A JSON object whose keys are numbers. */
function numbered<V>(value: unknown, most: number, read: (value: unknown) => V): ReadonlyMap<number, V> {
  return new Map(
    Object.entries(row(value)).map(([key, entry]) => {
      const number = Number(key);
      check(Number.isInteger(number) && number >= 0 && number < most, "numbers");
      return [number, read(entry)];
    }),
  );
}

function check(holds: boolean, name: string): void {
  if (!holds) {
    throw new ProtocolError(`a graph whose ${name} cannot be true`);
  }
}

// The container that all data of graphs travel in: a JSON header and columns of numbers, deflated.
// Described in tbwidget/panels/graph_columns.py.

/** Bytes at whose multiples columns begin. */
const ALIGNMENT = 8;

/** Bytes that a container may inflate to: several times what a graph of a million nodes takes. */
const MAX_BYTES = 2 ** 30;

const TYPES = { u1: Uint8Array, i4: Int32Array, f4: Float32Array, f8: Float64Array } as const;

type ColumnType = keyof typeof TYPES;
type Column<T extends ColumnType> = InstanceType<(typeof TYPES)[T]>;

/** An inflated container. Requests for a missing column, or of another type or length, throw a ProtocolError. */
export interface Container {
  readonly header: Row;
  /** The column of this name; `length`, where given, is what it must have. */
  column<T extends ColumnType>(name: string, type: T, length?: number): Column<T>;
}

export async function readContainer(bytes: Uint8Array): Promise<Container> {
  const buffer = await inflate(bytes);
  const begin = 4;
  const end = buffer.byteLength < begin ? Infinity : begin + new DataView(buffer).getUint32(0, true);
  if (end > buffer.byteLength) {
    throw new ProtocolError("a graph without its header");
  }
  let header: Row;
  try {
    header = row(JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, begin, end - begin))));
  } catch {
    throw new ProtocolError("a graph whose header is no JSON object");
  }
  const places = new Map<string, readonly [unknown, number, number]>();
  let offset = end;
  for (const [name, entry] of Object.entries(row(header.columns))) {
    const [type, length] = list(entry);
    const size = TYPES[type as ColumnType]?.BYTES_PER_ELEMENT;
    offset = Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
    if (size === undefined || !isCount(length) || offset + size * length > buffer.byteLength) {
      throw new ProtocolError(`a graph whose column ${name} is incomplete`);
    }
    places.set(name, [type, offset, length]);
    offset += size * length;
  }
  return {
    header,
    column(name, type, length) {
      const place = places.get(name);
      if (place?.[0] !== type || (length !== undefined && place[2] !== length)) {
        throw new ProtocolError(`a graph without its column ${name}`);
      }
      return new TYPES[type](buffer, place[1], place[2]) as Column<typeof type>;
    },
  };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

async function inflate(bytes: Uint8Array): Promise<ArrayBuffer> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream("deflate"));
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  try {
    for (let part = await reader.read(); part.value !== undefined; part = await reader.read()) {
      parts.push(part.value);
      length += part.value.length;
      if (length > MAX_BYTES) {
        await reader.cancel();
        break;
      }
    }
  } catch {
    throw new ProtocolError("a graph whose compressed bytes are damaged");
  }
  if (length > MAX_BYTES) {
    throw new ProtocolError("a graph that is too large");
  }
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole.buffer;
}
