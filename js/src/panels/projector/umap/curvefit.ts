// Stands in the bundle for ml-levenberg-marquardt, by which umap-js fits the two parameters of one curve. The package itself
// takes twice as much as umap-js, for matrices of any size.

/** Values at even steps from 0 on. umap-js moves those below the least distance to 1, where the curve should be 1. */
interface Data {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

type Parameters = readonly [number, number];

/** Makes the curve with some parameters. */
type Curve = (parameters: Parameters) => (x: number) => number;

const MAX_STEPS = 200;

/** Relative change of a parameter, for its numeric derivative. */
const NUDGE = 1e-6;

/** The fit ends with a step that is smaller, relative to the parameters. */
const SMALL = 1e-9;

/** The parameters with the least squares of errors, by the method of Levenberg and Marquardt: those that umap-learn has. */
export default function fitted(
  data: Data,
  curve: Curve,
  { initialValues }: { readonly initialValues: Parameters },
): { readonly parameterValues: Parameters } {
  const { x, y } = straightened(data);
  const errorsAt = (parameters: Parameters) => {
    const at = curve(parameters);
    return x.map((value, i) => at(value) - (y[i] as number));
  };
  const squares = (errors: readonly number[]) => errors.reduce((sum, error) => sum + error * error, 0);
  let best = initialValues;
  let errors = errorsAt(best);
  let damping = 1e-2;
  for (let i = 0; i < MAX_STEPS; i += 1) {
    const [a, b] = best;
    const slopesA = slopes(errors, errorsAt([a * (1 + NUDGE), b]), a * NUDGE);
    const slopesB = slopes(errors, errorsAt([a, b * (1 + NUDGE)]), b * NUDGE);
    const [aa, ab, bb] = [dot(slopesA, slopesA), dot(slopesA, slopesB), dot(slopesB, slopesB)];
    const [ea, eb] = [dot(slopesA, errors), dot(slopesB, errors)];
    const [da, db] = [aa * (1 + damping), bb * (1 + damping)];
    const determinant = da * db - ab * ab;
    const step = [(db * ea - ab * eb) / determinant, (da * eb - ab * ea) / determinant] as const;
    const next = [a - step[0], b - step[1]] as const;
    const found = errorsAt(next);
    if (next[0] > 0 && next[1] > 0 && squares(found) < squares(errors)) {
      best = next;
      errors = found;
      damping /= 10;
    } else {
      damping *= 10;
    }
    if (Math.hypot(...step) <= SMALL * Math.hypot(a, b)) {
      break;
    }
  }
  return { parameterValues: best };
}

function straightened({ x, y }: Data): Data {
  const step = (x.at(-1) as number) / (x.length - 1);
  const isMoved = (at: number, i: number) => Math.abs(at - i * step) > step / 2;
  return { x: x.map((_, i) => i * step), y: y.map((value, i) => (isMoved(x[i] as number, i) ? 1 : value)) };
}

function slopes(before: readonly number[], after: readonly number[], by: number): number[] {
  return before.map((error, i) => ((after[i] as number) - error) / by);
}

function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, i) => sum + value * (other[i] as number), 0);
}
