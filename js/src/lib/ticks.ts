// Round numbers along an axis, at any magnitude that a double has.

const LEADS = [1, 2, 2.5, 5, 10];

/** The smallest round number not below `least`, which is positive: a power of ten times one of `leads`. */
export function roundUp(least: number, leads: readonly number[] = LEADS): number {
  const exponent = Math.floor(Math.log10(least));
  const lead = leads.find((candidate) => fromDecimal(candidate, exponent) >= least * (1 - 1e-9)) ?? 10;
  return fromDecimal(lead, exponent);
}

/** Multiples of `spacing` within [min, max]. */
export function multiples(min: number, max: number, spacing: number): number[] {
  const ticks: number[] = [];
  const slack = spacing * 1e-9;
  for (let i = Math.ceil((min - slack) / spacing); i * spacing <= max + slack && ticks.length < 100; i += 1) {
    // Rounded as a decimal: 3 * 0.1 is no tick, 0.3 is.
    ticks.push(Number((i * spacing).toPrecision(15)));
  }
  return ticks;
}

/** lead * 10^exponent, rounded once. */
function fromDecimal(lead: number, exponent: number): number {
  return Number(`${lead}e${exponent}`);
}
