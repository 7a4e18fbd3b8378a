// The samples of a clip, read a stretch at a time.

export interface Samples {
  /** Frames a second: a frame has a sample of each channel. */
  readonly rate: number;
  readonly channels: number;
  readonly frames: number;
  /** Reads a channel's samples from a frame on, as many as fit, from -1 to 1; there must be so many. */
  read(channel: number, from: number, into: Float32Array<ArrayBuffer>): void;
}
