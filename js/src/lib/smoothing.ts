// The exponential moving average that TensorBoard draws, free of its bias towards 0 at the beginning.

/**
 * Smooths what is finite; the rest stays as it is. `weight` is that of the past, from 0 to less than 1.
 *
 * A row may stand for several points: `counts` says for how many, and its value is their mean.
 * A constant stays the same, bit for bit.
 */
export function smooth(
  values: Float64Array,
  weight: number,
  counts: ArrayLike<number> | null = null,
  into: Float64Array = new Float64Array(values.length),
): Float64Array {
  if (weight <= 0 || isConstant(values)) {
    into.set(values);
    return into;
  }
  let last = 0;
  // weight ** n: what of the beginning, which was 0, is still in the average.
  let bias = 1;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    const count = counts === null ? 1 : (counts[i] as number);
    if (value - value !== 0 || count === 0) {
      into[i] = value;
      continue;
    }
    const kept = count === 1 ? weight : weight ** count;
    last = kept * last + (1 - kept) * value;
    bias *= kept;
    if (bias < 1e-17) {
      bias = 0;
    }
    into[i] = last / (1 - bias);
  }
  return into;
}

function isConstant(values: Float64Array): boolean {
  let first = Number.NaN;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] as number;
    if (value - value === 0) {
      if (Number.isNaN(first)) {
        first = value;
      } else if (value !== first) {
        return false;
      }
    }
  }
  return true;
}
