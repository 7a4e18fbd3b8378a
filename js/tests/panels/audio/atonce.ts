import type { Job } from "../../../src/panels/audio/slices";

/** What a job returns, at once. */
export function atOnce<T>(job: Job<T>): T {
  for (;;) {
    const { done, value } = job.next();
    if (done) {
      return value;
    }
  }
}
