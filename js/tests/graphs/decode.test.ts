import { describe, expect, test } from "vitest";
import { compose } from "../../src/panels/graphs/model/compose";
import { decodeRoot, decodeStatistics, decodeStructure } from "../../src/panels/graphs/model/decode";
import { layoutInput } from "../../src/panels/graphs/model/layoutinput";
import type { Structure } from "../../src/panels/graphs/model/structure";
import { traceFrom } from "../../src/panels/graphs/model/trace";
import { entryOf, pathOf } from "../../src/panels/graphs/model/tree";
import { reveal } from "../../src/panels/graphs/state";
import { ProtocolError } from "../../src/wire/columns";
import { bytesOf, recorded, structureNamed } from "./recorded";

type Columns = Record<string, Uint8Array | Int32Array | Float64Array>;
type Header = Record<string, unknown>;

/** A container as the kernel encodes it. */
async function container(header: Header, columns: Columns): Promise<Uint8Array> {
  const type = (column: Columns[string]) =>
    column instanceof Uint8Array ? "u1" : column instanceof Int32Array ? "i4" : "f8";
  const table = Object.entries(columns).map(([name, column]) => [name, [type(column), column.length]]);
  const text = new TextEncoder().encode(JSON.stringify({ ...header, columns: Object.fromEntries(table) }));
  const parts: Uint8Array[] = [new Uint8Array(Uint32Array.of(text.length).buffer), text];
  const pad = () => {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    parts.push(new Uint8Array((8 - (length % 8)) % 8));
  };
  for (const column of Object.values(columns)) {
    pad();
    parts.push(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  }
  return deflated(parts);
}

async function deflated(parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const stream = new Blob([...parts] as BlobPart[]).stream().pipeThrough(new CompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const NAMES = {
  fold_parent: "foldParent",
  fold_kind: "foldKind",
} as const;

const COLUMNS = [
  ...["parent", "fold_parent", "fold_kind", "representative", "role", "alike", "op", "device", "cluster", "embedded"],
  ...["outputs", "source", "target", "carrier", "slot", "reference", "size"],
];

/** An encoded structure. */
function encoded(structure: Structure): { header: Header; columns: Columns } {
  const { nodeCount, root, itemCount, entryCount, labels, ops, devices, clusters, shapes, functions } = structure;
  const columns = Object.fromEntries(
    COLUMNS.map((name) => [name, structure[(NAMES[name as keyof typeof NAMES] ?? name) as "op"].slice()]),
  );
  return {
    header: {
      ...{ nodes: nodeCount, root, items: itemCount, entries: entryCount, labels, ops, devices, clusters, shapes },
      ...{ functions, is_torch: structure.isTorch, problems: structure.problems, opened: structure.opened },
      call_labels: Object.fromEntries(structure.callLabels),
      odd: Object.fromEntries(structure.odd),
      unordered: [...structure.unordered],
      optional: [...structure.optional],
    },
    columns: {
      ...columns,
      annotation_start: structure.annotations.start.slice(),
      annotation_items: structure.annotations.items.slice(),
    },
  };
}

const NAMED = ["train_graph_def", "torch_graph_def", "layers", "optimizer"];

test.each(NAMED)("%s comes back as it was sent", async (name) => {
  const structure = await structureNamed(name);
  const { header, columns } = encoded(structure);
  expect(await decodeStructure(await container(header, columns))).toEqual(structure);
});

/** Uses every part of a structure. */
function useAll(structure: Structure): void {
  for (const opened of [new Set<string>(), "all" as const]) {
    const view = compose(structure, { opened });
    layoutInput(view, structure, { main: new Set(), auxiliary: new Set() });
  }
  const { entryCount } = structure;
  const ungrouped = new Set(Array.from({ length: entryCount }, (_, entry) => pathOf(structure, entry)));
  compose(structure, { opened: "all", ungrouped });
  for (let entry = 0; entry < entryCount; entry += 1) {
    reveal(structure, entry);
    entryOf(structure, pathOf(structure, entry));
  }
  traceFrom(structure, structure.root, "both", true);
}

describe("numbers that cannot be true", () => {
  test.each(NAMED)("are refused, or do no harm, in %s", async (name) => {
    const structure = await structureNamed(name);
    const columns = [...COLUMNS, "annotation_start", "annotation_items"];
    let refused = 0;
    for (let round = 0; round < 400; round += 1) {
      const sent = encoded(structure);
      const column = sent.columns[columns[round % columns.length] as string] as Int32Array;
      if (column.length > 0) {
        const place = (round * 7919) % column.length;
        const limits = [structure.nodeCount, structure.root, structure.itemCount, structure.entryCount];
        const wrong = [-2, -1, 0, 1, 2 ** 31 - 1, column.length, ...limits, ...limits.map((limit) => limit - 1)];
        column[place] = wrong[Math.floor(round / columns.length) % wrong.length] as number;
      }
      try {
        useAll(await decodeStructure(await container(sent.header, sent.columns)));
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });

  test.each([
    ["nodes", -1],
    ["nodes", 1e9],
    ["root", 0.5],
    ["items", null],
    ["entries", 1e12],
    ["labels", ["too few"]],
    ["labels", "none"],
    ["ops", [1]],
    ["shapes", [1]],
    ["call_labels", { x: "y" }],
    ["call_labels", { 0: 1 }],
    ["call_labels", null],
    ["odd", { 1e9: [] }],
    ["odd", { 0: [null] }],
    ["problems", undefined],
  ])("are refused in the header: %s", async (name, value) => {
    const { header, columns } = encoded(await structureNamed("layers"));
    const bytes = await container({ ...header, [name]: value }, columns);
    await expect(decodeStructure(bytes)).rejects.toThrow(ProtocolError);
  });
});

test("damaged bytes are refused, or do no harm", async () => {
  const read = recorded.find(([name]) => name === "train_graph_def")?.[1];
  const graph = await read?.();
  const bytes = bytesOf(graph?.structure ?? "");
  let refused = 0;
  for (const length of [0, 1, 2, 100, bytes.length - 5, bytes.length - 1]) {
    await expect(decodeStructure(bytes.subarray(0, length))).rejects.toThrow(ProtocolError);
  }
  for (let place = 0; place < bytes.length; place += 7) {
    const damaged = bytes.slice();
    damaged[place] = (damaged[place] as number) ^ 0x10;
    try {
      // Node's streams may end before they have verified the checksum.
      useAll(await decodeStructure(damaged));
    } catch (error) {
      expect(error).toBeInstanceOf(ProtocolError);
      refused += 1;
    }
  }
  expect(refused).toBeGreaterThan(100);
});

test.each([
  ["no header", [Uint8Array.of(255, 255, 0, 0, 123, 125)]],
  ["nothing", []],
  ["no JSON", [Uint8Array.of(2, 0, 0, 0, 123, 123)]],
  ["no object", [Uint8Array.of(2, 0, 0, 0, 91, 93)]],
  ["no table of columns", [Uint8Array.of(2, 0, 0, 0, 123, 125)]],
])("containers with %s are refused", async (_, parts) => {
  await expect(decodeStructure(await deflated(parts))).rejects.toThrow(ProtocolError);
});

test("a column longer than its container is refused", async () => {
  const header = new TextEncoder().encode('{"columns":{"kind":["u1",1000000000]}}');
  const bytes = await deflated([new Uint8Array(Uint32Array.of(header.length).buffer), header]);
  await expect(decodeRoot(bytes)).rejects.toThrow(ProtocolError);
});

test("a closed root that was too large to be sent is null", async () => {
  expect(await decodeRoot(await container({ large: true }, {}))).toBeNull();
});

test("a closed root whose boxes stand in one another is refused", async () => {
  const column = (value: number) => Int32Array.of(value);
  const none = new Int32Array(0);
  const sent = (parent: number, kind: number) =>
    container(
      { path: ["a"], label: ["a"], op: [""], odd: [[]], shape: [] },
      {
        ...{
          kind: Uint8Array.of(kind),
          parent: column(parent),
          nodes: column(1),
          copies: column(1),
          alike: column(-1),
          unordered: Uint8Array.of(0),
          role: Uint8Array.of(0),
          open: Uint8Array.of(0),
        },
        ...{ source: none, target: none, data: none, control: none, reference: none, size: new Float64Array(0) },
      },
    );
  expect((await decodeRoot(await sent(-1, 0)))?.path).toEqual(["a"]);
  await expect(decodeRoot(await sent(0, 0))).rejects.toThrow(ProtocolError);
  await expect(decodeRoot(await sent(-1, 9))).rejects.toThrow(ProtocolError);
});

test("statistics belong to the structure's nodes", async () => {
  const structure = await structureNamed("layers");
  const time = new Float64Array(structure.root).fill(Number.NaN);
  time[1] = 2.5;
  const sent = (memory: Float64Array) => container({ devices: ["/cpu:0"] }, { time, memory });
  const found = await decodeStatistics(await sent(time), structure);
  expect([found.time[0], found.time[1], found.devices]).toEqual([Number.NaN, 2.5, ["/cpu:0"]]);
  await expect(decodeStatistics(await sent(time.subarray(1)), structure)).rejects.toThrow(ProtocolError);
});
