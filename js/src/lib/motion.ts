// Whether the user wants motion.

/** Whether nothing is to move by itself. */
export const wantsNoMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
