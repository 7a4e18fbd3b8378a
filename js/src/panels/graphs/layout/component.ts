// What is laid out as one.

/** Boxes that hang together, with the ports of their scope that they are connected to. */
export interface Component {
  /** Boxes and ports: first the ports at the bottom, from left to right, then those at the top, then boxes. */
  readonly count: number;
  readonly bottom: number;
  readonly top: number;
  /** Edges in the direction of the data, each pair of ends once, none from a box to itself. */
  readonly source: Int32Array;
  readonly target: Int32Array;
  /** 1 for edges that carry no data. */
  readonly control: Uint8Array;
  /** 1 for boxes and ports of which long edges may leave as one line, because it is one thing that they carry. */
  readonly single: Uint8Array;
  /** Of each the width and the height, where they are known and count for which stand above each other; else empty. */
  readonly width: Float64Array;
  readonly height: Float64Array;
}
