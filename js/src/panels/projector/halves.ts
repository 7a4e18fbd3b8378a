// Numbers of 16 bits, which not every browser can read by itself.

/** Numbers with a common factor, as `float16`. */
export interface Halves {
  readonly halves: Uint16Array;
  readonly scale: number;
}

export function halvesOf(halves: Uint16Array, scale: number): Halves {
  return { halves, scale };
}

let table: Float32Array | null = null;

/** The numbers in 32 bits. */
export function toFloats(values: Float32Array | Halves): Float32Array {
  if (values instanceof Float32Array) {
    return values;
  }
  const { halves, scale } = values;
  table ??= Float32Array.from({ length: 0x10000 }, (_, bits) => halfOf(bits));
  const floats = new Float32Array(halves.length);
  for (let i = 0; i < halves.length; i += 1) {
    floats[i] = (table[halves[i] as number] as number) * scale;
  }
  return floats;
}

function halfOf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023];
  if (exponent === 31) {
    return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  }
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}
