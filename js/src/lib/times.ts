// Durations and times of day as people read them. Everything in seconds; times since the epoch are shown in local time.

import { commonTexts } from "./commontexts";
import { decimals } from "./format";
import { perLanguage } from "./texts";
import { multiples, roundUp } from "./ticks";

const dayFormat = perLanguage((own) => new Intl.DateTimeFormat(own, { day: "numeric", month: "short" }));
const dayOfYearFormat = perLanguage(
  (own) => new Intl.DateTimeFormat(own, { day: "numeric", month: "short", year: "numeric" }),
);
const minuteFormat = perLanguage(
  (own) => new Intl.DateTimeFormat(own, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
);
const secondFormat = perLanguage(
  (own) =>
    new Intl.DateTimeFormat(own, {
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    }),
);

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;

/** Spacings of ticks from a second to a day. */
const SPACINGS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, HOUR, 7200, 10_800, 21_600, 43_200, DAY];

/** The smallest round span of time not below `least`. */
export function roundUpTime(least: number): number {
  if (least < 0.5) {
    return roundUp(least);
  }
  return SPACINGS.find((spacing) => spacing >= least) ?? roundUp(least / DAY) * DAY;
}

/** Times of day, `spacing` apart and round where we are. */
export function clockTicks(min: number, max: number, spacing: number): number[] {
  // Fractions of a second are lost in the many digits of a time, but not in those of a second.
  const offset = spacing < 1 ? Math.floor(min) : new Date(min * 1000).getTimezoneOffset() * MINUTE;
  return multiples(min - offset, max - offset, spacing).map((tick) => tick + offset);
}

/** A label below a tick: the time of day, or the day where the spacing says no more; its year if `range` has several. */
export function formatClockTick(
  time: number,
  spacing: number,
  range: readonly [number, number] = [time, time],
): string {
  const date = new Date(time * 1000);
  const midnight = date.getHours() + date.getMinutes() + date.getSeconds() === 0;
  if (spacing >= DAY || (midnight && spacing >= MINUTE)) {
    const [first, last] = range.map((end) => new Date(end * 1000).getFullYear());
    return formatDay(date, first === last ? dayFormat() : dayOfYearFormat());
  }
  const clock = (spacing >= MINUTE ? minuteFormat() : secondFormat()).format(date);
  return spacing >= 1 ? clock : clock + fraction(time, spacing);
}

/** A moment, to the second; the year only if it is another than `now`'s. */
export function formatMoment(time: number, now: Date): string {
  const date = new Date(time * 1000);
  if (Number.isNaN(date.getTime())) {
    return commonTexts().noTime;
  }
  const clock = secondFormat().format(date);
  if (date.toDateString() === now.toDateString()) {
    return clock;
  }
  return commonTexts().moment(formatDate(date, now), clock);
}

/** A day, with its year unless that is the present one. */
export function formatDate(date: Date, now: Date): string {
  return formatDay(date, date.getFullYear() === now.getFullYear() ? dayFormat() : dayOfYearFormat());
}

/**
 * A duration, in its largest unit. `scale`: the unit is that of this duration; labels of one axis share it. `spacing`:
 * exact enough to tell neighbors so far apart, as a clock has it where the unit has no round part that long.
 */
export function formatDuration(seconds: number, scale: number = seconds, spacing?: number): string {
  if (seconds === 0) {
    return "0";
  }
  const size = Math.abs(scale);
  const { millisecond, second, minute, hour, day } = commonTexts().units;
  const [unit, name] =
    size < 1
      ? [1e-3, millisecond]
      : size < 2 * MINUTE
        ? [1, second]
        : size < 2 * HOUR
          ? [MINUTE, minute]
          : size < 2 * DAY
            ? [HOUR, hour]
            : [DAY, day];
  if (spacing !== undefined && unit >= MINUTE && !isThousandths(spacing / unit)) {
    return hours(seconds, spacing);
  }
  const number = seconds / unit;
  const text = spacing === undefined ? number.toPrecision(4) : number.toFixed(decimals(spacing / unit));
  return commonTexts().duration(String(Number(text)).replace("-", commonTexts().minus), name);
}

function isThousandths(share: number): boolean {
  return Math.abs(share * 1000 - Math.round(share * 1000)) < 1e-6 * share;
}

/** As h:mm:ss, with as much of a second as `spacing` needs. */
function hours(seconds: number, spacing: number): string {
  const digits = Math.min(6, decimals(spacing));
  // In whole numbers: 59.999… seconds must not become 60.
  const parts = Math.round(Math.abs(seconds) * 10 ** digits);
  const whole = Math.floor(parts / 10 ** digits);
  const rest = digits === 0 ? "" : `.${String(parts % 10 ** digits).padStart(digits, "0")}`;
  const clock = `${Math.floor(whole / HOUR)}:${two(Math.floor(whole / MINUTE) % 60)}:${two(whole % 60)}${rest}`;
  return seconds < 0 ? commonTexts().minus + clock : clock;
}

/** What stands first, the number of the day, stays with what follows. */
function formatDay(date: Date, format: Intl.DateTimeFormat): string {
  return format.format(date).replace(" ", commonTexts().narrowSpace);
}

function fraction(time: number, spacing: number): string {
  const digits = (spacing.toPrecision(2).replace(/0+$/, "").split(".")[1] ?? "").length;
  return (time - Math.floor(time)).toFixed(Math.min(6, digits)).slice(1);
}

function two(number: number): string {
  return String(number).padStart(2, "0");
}
