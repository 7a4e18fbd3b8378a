// The names of tags: which tag tells most of a run, and whether its smallest value is the best.

import { isReward } from "./tagorder";

const LOSS = /loss(?:es)?(?![a-z])/;
const SCORE = /(?:accuracy|acc|rewards?|rew)(?![a-z])/;
const HELD_OUT = /(?<![a-z])(?:val|valid|validation|test|eval|dev)(?![a-z])/;

/** Penalties, rates, times, gradients: they say how a run is trained, not what it came to. */
const SIDE =
  /(?<![a-z])(?:reg|regulari[sz](?:ation|er)|penalty|decay|lr|learning[^a-z]?rate|time|times|duration|seconds?|secs?|fps|speed|throughput|grad|grads|gradients?|norms?)(?![a-z])/;
/** Counters and the state of the machine. */
const BOOKKEEPING = /(?<![a-z])(?:epochs?|steps?|iterations?|memory|gpu|cpu|system)(?![a-z])/;

/** Words of a total loss or score, not of a part such as an actor's loss. */
const PLAIN =
  /(?<![a-z])(?:loss(?:es)?|accuracy|acc|rewards?|rew|val|valid|validation|test|eval|dev|train|training|total|mean|avg|epochs?|steps?|batch|ep|top)(?![a-z])/g;

/** How many ranks there are of losses and scores, which say what a run came to, and of rewards before them. */
const TELLING = 8;
const REWARDS = 2;

/** Rank among the tags, the smallest first. */
function rankOf(tag: string): number {
  const name = inLowerCase(tag);
  return isReward(tag) ? Number(!HELD_OUT.test(name)) : REWARDS + rankOfOther(name);
}

/** Losses and scores have ranks below `TELLING`. */
function rankOfOther(name: string): number {
  if (SIDE.test(name)) {
    return TELLING + 2;
  }
  const [isLoss, isScore] = [LOSS.test(name), SCORE.test(name)];
  if (!isLoss && !isScore) {
    return TELLING + Number(BOOKKEEPING.test(name));
  }
  const isPart = /[a-z]/.test(name.replace(PLAIN, ""));
  return (HELD_OUT.test(name) ? 0 : TELLING / 2) + (isLoss ? 0 : 2) + Number(isPart);
}

function inLowerCase(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
}

const SMALLER =
  /(?<![a-z])(?:loss(?:es)?|cost|perplexity|ppl|nll|cross[^a-z]?entropy|xent|error|rmse|mse|mae|wer|cer)(?![a-z])/gu;
const LARGER = /(?<![a-z])(?:accuracy|acc|rewards?|rew|returns?|auc|auroc|f1|bleu|top[^a-z]?\p{Nd})(?![a-z])/gu;
const NO_MEASURE =
  /(?<![a-z])(?:reg|regulari[sz](?:ation|er)|penalty|decay|lr|learning[^a-z]?rate|time|times|grads?|gradients?|norms?|scale|weight|std|var|min|ema)(?![a-z])/u;
const BESIDE_MEASURE =
  /(?<![a-z])(?:val|valid|validation|test|eval|evaluation|dev|train|training|total|mean|avg|average|epochs?|steps?|batch|ep|episode|top|rollout|metrics?|vs|iterations?|summary|categorical|sparse|binary|smoothed|lm|model|score|episodic|cumulative|charts?|env(?:ironment)?|runners|ray|tune)(?![a-z])/gu;
const MAX_NAME_CHARACTERS = 200;

/**
 * -1 where smaller values are better, 1 where larger ones are, 0 where the name does not tell. Twin of direction_of in
 * tbwidget/logs/alerts/rules.py.
 */
export function directionOf(tag: string): -1 | 0 | 1 {
  const name = inLowerCase(tag);
  if ([...tag].length > MAX_NAME_CHARACTERS || NO_MEASURE.test(name)) {
    return 0;
  }
  const [smaller, larger] = [name.search(SMALLER) >= 0, name.search(LARGER) >= 0];
  const rest = name.replace(LARGER, "").replace(SMALLER, "").replace(BESIDE_MEASURE, "");
  if (smaller === larger || /\p{L}/u.test(rest)) {
    return 0;
  }
  return smaller ? -1 : 1;
}

const SMALLER_IS_BETTER =
  /loss|err(?:or)?(?![a-z])|perplexity|ppl(?![a-z])|mse|mae(?![a-z])|latency|(?:^|[/_.])(?:time|wer|cer|fid|nll)(?![a-z])/i;

/** Whether the smallest value of a metric is its best: a guess where its name does not tell. Twin of is_smaller_better in Python. */
export function smallerIsBetter(tag: string): boolean {
  const direction = directionOf(tag);
  return direction === 0 ? SMALLER_IS_BETTER.test(tag) : direction < 0;
}

/**
 * The first pinned tag, else a reward, else a loss, then an accuracy, of validation or test, else any other of these, else the
 * first tag; regularization, learning rates, times and gradients only where there is nothing else.
 */
export function headlineTag(tags: readonly string[], pinned: readonly string[]): string | null {
  const there = new Set(tags);
  let [found, least]: [string | null, number] = [
    pinned.find((tag) => there.has(tag)) ?? null,
    Number.POSITIVE_INFINITY,
  ];
  for (const tag of found === null ? tags : []) {
    const rank = rankOf(tag);
    if (rank < least) {
      [found, least] = [tag, rank];
    }
    if (rank === 0) {
      break;
    }
  }
  return found;
}
