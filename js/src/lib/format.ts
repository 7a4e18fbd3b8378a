// Numbers and times as people read them.

import { strings } from "./strings";

/** A value: four significant digits, an exponent when it is very large or small. */
export function formatValue(value: number): string {
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? "NaN" : value > 0 ? "+∞" : "−∞";
  }
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-3 && size < 1e5)) {
    return trimZeros(value.toPrecision(size >= 1e4 ? 5 : 4));
  }
  return trimZeros(value.toExponential(2));
}

/** An axis label: short, exact enough to tell neighbours `spacing` apart. */
export function formatTick(value: number, spacing: number): string {
  const size = Math.abs(value);
  if (size < spacing / 1e6) {
    return "0";
  }
  if (size >= 1e4) {
    const unit = size >= 1e12 ? 1e12 : size >= 1e9 ? 1e9 : size >= 1e6 ? 1e6 : 1e3;
    const label = minus(trimZeros((value / unit).toFixed(decimals(spacing / unit)))) + suffixes[Math.log10(unit) / 3];
    return label.length <= 8 && size < 1e15 ? label : minus(trimZeros(value.toExponential(1)));
  }
  if (size < 1e-3) {
    return minus(trimZeros(value.toExponential(Math.min(3, decimals(spacing / 10 ** Math.floor(Math.log10(size)))))));
  }
  return minus(trimZeros(value.toFixed(decimals(spacing))));
}

const suffixes = ["", "k", "M", "G", "T"];

/** A whole number with its thousands set apart. */
export function formatCount(count: number | bigint): string {
  const digits = count.toString();
  return digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** A size in bytes. */
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 || size >= 99.95 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

/** How long ago something was, in words that change slowly. */
export function formatAge(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 2) {
    return strings.justNow;
  }
  const units: [number, string][] = [
    [31_557_600, "y"],
    [86_400, "d"],
    [3600, "h"],
    [60, "min"],
    [1, "s"],
  ];
  const [size, name] = units.find(([unit]) => seconds >= unit) ?? [1, "s"];
  return strings.ago(`${Math.floor(seconds / size)} ${name}`);
}

function decimals(spacing: number): number {
  return Math.min(12, Math.max(0, Math.ceil(-Math.log10(spacing) - 1e-9) + (isOdd(spacing) ? 1 : 0)));
}

/** Whether a spacing like 0.25 or 2.5 needs one decimal more than its magnitude says. */
function isOdd(spacing: number): boolean {
  const lead = spacing / 10 ** Math.floor(Math.log10(spacing) + 1e-9);
  return Math.abs(lead - Math.round(lead)) > 1e-6;
}

function trimZeros(text: string): string {
  return text
    .replace(/(\.\d*?)0+(?=$|e)/, "$1")
    .replace(/\.(?=$|e)/, "")
    .replace("e+", "e");
}

function minus(text: string): string {
  return text.replace(/^-/, "−");
}
