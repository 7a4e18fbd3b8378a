import type { Job } from "../../../src/panels/audio/slices";

/** Runs a job to its end; returns the result. */
export function atOnce<T>(job: Job<T>): T {
  for (;;) {
    const { done, value } = job.next();
    if (done) {
      return value;
    }
  }
}
