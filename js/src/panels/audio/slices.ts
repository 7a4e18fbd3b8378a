// Long work in slices, so that the page answers in between: one job after the other, each a generator that yields often.

/** Milliseconds of work at a time. */
const SLICE = 12;

export type Job<T> = Generator<undefined, T>;

interface Waiting {
  /** Does a little; true once the job has ended, as it may. */
  advance(): boolean;
}

const waiting: Waiting[] = [];
let scheduled = false;

/** Resolves with the job's result; never, once `until` aborts. Rejects with the job's error. */
export function inSlices<T>(job: Job<T>, until: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const advance = () => {
      try {
        const { done, value } = until.aborted ? { done: true, value: undefined } : job.next();
        if (done && !until.aborted) {
          resolve(value as T);
        }
        return done === true;
      } catch (error) {
        reject(error);
        return true;
      }
    };
    waiting.push({ advance });
    schedule();
  });
}

function schedule(): void {
  if (!scheduled) {
    scheduled = true;
    setTimeout(run, 0);
  }
}

function run(): void {
  scheduled = false;
  const end = performance.now() + SLICE;
  while (waiting.length > 0 && performance.now() < end) {
    if (waiting[0]?.advance()) {
      waiting.shift();
    }
  }
  if (waiting.length > 0) {
    schedule();
  }
}
