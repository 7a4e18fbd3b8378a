// Signs, units and words that all parts share.

import { defineTexts, NARROW_SPACE } from "./texts";

export const commonTexts = defineTexts({
  narrowSpace: NARROW_SPACE,
  /** Between groups of three digits. */
  thousands: NARROW_SPACE,
  minus: "−",
  infinity: "∞",
  notANumber: "NaN",
  /** Thousand, million …: behind the numbers of an axis. */
  prefixes: ["", "k", "M", "G", "T"],
  bytes: ["B", "kB", "MB", "GB", "TB"],
  sizeOf: (number: string, unit: string) => `${number} ${unit}`,
  units: {
    ...{ millisecond: "ms", second: "s", minute: "min", hour: "h", day: "d", year: "y" },
    ...{ hertz: "Hz", kilohertz: "kHz" },
  },
  duration: (number: string, unit: string) => `${number}${NARROW_SPACE}${unit}`,
  age: (number: string, unit: string) => `${number} ${unit}`,
  moment: (day: string, time: string) => `${day}, ${time}`,
  noTime: "–",
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  justNow: "just now",
  ago: (duration: string) => `${duration} ago`,
});
