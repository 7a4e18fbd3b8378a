// Numbers and times as people read them.

import { commonTexts } from "./commontexts";
import { NARROW_SPACE, perLanguage } from "./texts";

export const MINUS = "−";
export const NOT_A_NUMBER = "NaN";

/** Thousand, million …: behind the numbers of an axis. */
const PREFIXES = ["", "k", "M", "G", "T"];

/** Between the whole part of a number and its fraction. */
const decimalSign = perLanguage(
  (own) => new Intl.NumberFormat(own).formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".",
);

/** A value: four significant digits, an exponent when it is very large or small. */
export function formatValue(value: number): string {
  return withDigits(value, 4);
}

function withDigits(value: number, digits: number): string {
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? NOT_A_NUMBER : `${value > 0 ? "+" : MINUS}∞`;
  }
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-3 && size < 1e5)) {
    return withSigns(trimZeros(value.toPrecision(size >= 1e4 ? 5 : digits)));
  }
  return withSigns(trimZeros(value.toExponential(digits - 1)));
}

/** As `formatValue`, with fewer digits, but two, where it has more characters than there is room for. */
export function formatWithin(value: number, room: number): string {
  const texts = [4, 3, 2].map((digits) => withDigits(value, digits));
  return texts.find((text) => text.length <= room) ?? (texts.at(-1) as string);
}

/** As `formatValue`, but whole numbers digit by digit, as long as a double tells each from the next. */
export function formatExact(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? withSigns(String(value)) : formatValue(value);
}

/**
 * An axis label: short, exact enough to tell neighbors `spacing` apart. The largest number of the axis, if given, says
 * how all are written: neither 5000 below 10k, nor 7.5e-4 below 0.001.
 */
export function formatTick(value: number, spacing: number, largest = Math.abs(value)): string {
  const size = Math.abs(value);
  if (size < spacing / 1e6) {
    return "0";
  }
  if (size >= 1e4 || (size >= 1e3 && largest >= 1e4)) {
    const unit = size >= 1e12 ? 1e12 : size >= 1e9 ? 1e9 : size >= 1e6 ? 1e6 : 1e3;
    const label = (value / unit).toFixed(decimals(spacing / unit)) + PREFIXES[Math.log10(unit) / 3];
    if (size < 1e15) {
      // A suffix that saves nothing only hides where the digits stand; zeros count, so that neighbors look alike.
      return withSigns(trimZeros(label.length <= 8 ? label : value.toFixed(decimals(spacing))));
    }
  }
  // Few zeros behind the point read better than exponents.
  if (size >= 1e15 || (Math.max(size, largest) < 1e-3 && decimals(spacing) > 4)) {
    const digits = exponentOf(size) - exponentOf(spacing) + (isOdd(spacing) ? 1 : 0);
    return withSigns(trimZeros(value.toExponential(Math.min(15, Math.max(0, digits)))));
  }
  return withSigns(trimZeros(value.toFixed(decimals(spacing))));
}

/** A whole number with its thousands set apart. */
export function formatCount(count: number | bigint): string {
  return withSigns(count.toString().replace(/\B(?=(\d{3})+$)/g, NARROW_SPACE));
}

/** Two formatted bounds, or one of both. */
export function formatRange(from: string, to = from): string {
  return from === to ? from : `${from} – ${to}`;
}

/** Two ends of an interval; beside 0, less than a millionth of their distance is a rounding error. */
export function formatInterval(from: number, to: number): string {
  const error = Number.isFinite(to - from) ? (to - from) / 1e6 : 0;
  const [first, last] = [from, to].map((end) => formatValue(Math.abs(end) < error ? 0 : end)) as [string, string];
  return formatRange(first, last);
}

/** A size in bytes. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 999.5 && unit < commonTexts().bytes.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return commonTexts().sizeOf(
    unit === 0 || size >= 99.95 ? String(Math.round(size)) : withSigns(size.toFixed(1)),
    commonTexts().bytes[unit] ?? "",
  );
}

/** How long ago something was, in words that change slowly. */
export function formatAge(milliseconds: number): string {
  return milliseconds < 2000 ? commonTexts().justNow : commonTexts().ago(formatSpan(milliseconds));
}

/** How long something takes, in whole units of the largest size. */
export function formatSpan(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const { second, minute, hour, day, year } = commonTexts().units;
  const units: [number, string][] = [
    [31_557_600, year],
    [86_400, day],
    [3600, hour],
    [60, minute],
  ];
  const [size, name] = units.find(([unit]) => seconds >= unit) ?? [1, second];
  return commonTexts().age(String(Math.floor(seconds / size)), name);
}

/** Digits behind the point that tell multiples of `spacing` apart. */
export function decimals(spacing: number): number {
  return Math.min(20, Math.max(0, Math.ceil(-Math.log10(spacing) - 1e-9) + (isOdd(spacing) ? 1 : 0)));
}

/** Whether a spacing like 0.25 or 2.5 needs one decimal more than its magnitude says. */
function isOdd(spacing: number): boolean {
  const lead = spacing / 10 ** exponentOf(spacing);
  return Math.abs(lead - Math.round(lead)) > 1e-6;
}

function exponentOf(size: number): number {
  return Math.floor(Math.log10(size) + 1e-9);
}

/** Zeros behind the point, before an exponent or a prefix like k. */
function trimZeros(text: string): string {
  const [, digits = "", rest = ""] = /^(-?[\d.]*)(.*)$/s.exec(text) ?? [];
  const trimmed = digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
  return trimmed + rest.replace("e+", "e");
}

/** A number of JavaScript with the signs of the current language. */
export function withSigns(text: string): string {
  return text.replace(/^-/, MINUS).replace(".", decimalSign());
}
