// Meshes as they travel: an index of steps, and behind each row the meshes of its batch. Twin of tbwidget/panels/meshes.py.

import type { ItemRow, ItemsCodec } from "../../wire/codec";
import { count, list, ProtocolError, row as rowIn } from "../../wire/columns";
import type { TagItems } from "../../wire/items";
import { reasonsIn } from "../../wire/reasons";
import { meshTexts } from "./texts";

export interface MeshRow extends ItemRow {
  /** Always 0: all meshes of a batch are behind one row. */
  readonly sample: number;
}

export type TagMeshes = TagItems<MeshRow>;

export const meshes: ItemsCodec<MeshRow> = {
  sort: "items",
  kind: "meshes",
  decodeRows: (_entry, _columns, common) => common.map((row) => ({ ...row, sample: 0 })),
  encodeRows: () => ({}),
};

/** One mesh, or a point cloud. */
export interface Sample {
  readonly vertices: number;
  readonly faces: number;
  /** All x, all y, all z; NaN where a vertex has no finite place. */
  readonly planes: readonly [Float32Array, Float32Array, Float32Array];
  /** Three vertices a face; null where no faces were written. */
  readonly triangles: Uint32Array | null;
  /** Red, green and blue of each vertex; null where none were written. */
  readonly colors: Uint8Array | null;
}

export type Shade = "lit" | "flat" | "plain" | "wire" | "points";

/** The parts of a writer's scene that are drawn; undefined for parts that it does not set. */
export interface Scene {
  readonly shade?: Shade;
  /** Red, green and blue in one number. */
  readonly color?: number;
  /** Size of a point, in units of the data. */
  readonly size?: number;
  /** Degrees; 0: no perspective. */
  readonly fov?: number;
  readonly position?: readonly number[];
  readonly look_at?: readonly number[];
}

/** The meshes of a step. */
export interface Batch {
  readonly samples: readonly Sample[];
  readonly scene: Scene;
  /** Settings of the scene that are not drawn, and how many more there are. */
  readonly leftOut: readonly string[];
  readonly moreLeftOut: number;
  /** Describes omitted or changed parts, for the user. */
  readonly notes: readonly string[];
}

/** The meshes in a blob; a text for people where it is damaged. */
export function readBatch(blob: Uint8Array): Batch | string {
  try {
    return decode(blob);
  } catch {
    return meshTexts().damaged;
  }
}

function decode(blob: Uint8Array): Batch {
  const length = new DataView(blob.buffer, blob.byteOffset, blob.length).getUint32(0, true);
  const { samples, scene, notes } = rowIn(JSON.parse(new TextDecoder().decode(blob.subarray(4, 4 + length))));
  // Views need their alignment, which a blob within a message may lack.
  const data = blob.slice(4 + length).buffer;
  const { left_out, more_left_out = 0, ...drawn } = rowIn(scene);
  return {
    samples: list(samples).map((sample) => decodeSample(rowIn(sample), data)),
    scene: drawn as Scene,
    leftOut: list(left_out).map(String),
    moreLeftOut: count(more_left_out),
    get notes() {
      return reasonsIn(notes);
    },
  };
}

function decodeSample(sample: Readonly<Record<string, unknown>>, data: ArrayBuffer): Sample {
  const [vertices, faces] = [count(sample.vertices), count(sample.faces)];
  const places = count(sample.places);
  const plane = (axis: number) => new Float32Array(data, places + 4 * axis * vertices, vertices);
  const triangles = sample.triangles === null ? null : new Uint32Array(data, count(sample.triangles), 3 * faces);
  if (triangles?.some((vertex) => vertex >= vertices)) {
    throw new ProtocolError("a face without its vertices");
  }
  const colors = sample.colors === null ? null : new Uint8Array(data, count(sample.colors), 3 * vertices);
  return { vertices, faces, planes: [plane(0), plane(1), plane(2)], triangles, colors };
}
