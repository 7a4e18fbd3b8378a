// The properties of a clip in words and numbers.

import { commonTexts } from "../../lib/commontexts";
import { formatBytes, formatCount } from "../../lib/format";
import { listOf } from "../../lib/texts";
import type { Clip } from "./codec";
import { audioTexts } from "./texts";

const MINUTE = 60;

/** Where a clip is and how long it lasts, both as the longer one needs it. */
export function playTime(time: number, duration: number): string {
  const text = audioTexts().timeOf(digits(time, duration), digits(duration, duration));
  return duration < MINUTE ? commonTexts().duration(text, commonTexts().units.second) : text;
}

/** As seconds, or as minutes and seconds where a minute or more is shown beside it. */
export function clock(seconds: number, longest: number = seconds): string {
  const text = digits(seconds, longest);
  return longest < MINUTE ? commonTexts().duration(text, commonTexts().units.second) : text;
}

function digits(seconds: number, longest: number): string {
  if (longest < MINUTE) {
    return seconds.toFixed(longest < 10 ? 2 : 1);
  }
  const tenths = Math.round(seconds * 10);
  const rest = ((tenths % (10 * MINUTE)) / 10).toFixed(1).padStart(4, "0");
  return `${Math.floor(tenths / (10 * MINUTE))}:${rest}`;
}

/** A rate, or a frequency, in hertz. */
export function hertz(rate: number): string {
  const { hertz: unit, kilohertz } = commonTexts().units;
  return rate < 1000
    ? commonTexts().sizeOf(String(Number(rate.toFixed(2))), unit)
    : commonTexts().sizeOf(String(Number((rate / 1000).toFixed(3))), kilohertz);
}

/** What it is made of, as far as that is known. */
export function factsOf({ rate, channels, size }: Clip): string {
  return listOf([
    ...(rate === null ? [] : [hertz(rate)]),
    ...(channels === null ? [] : [audioTexts().channels(channels, formatCount(channels))]),
    formatBytes(size),
  ]);
}
