// What a text says: built of nodes of its own, with what is looked for marked.

import { effect, useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { formatBytes } from "../../lib/format";
import { strings } from "../../lib/strings";
import { useChoices, useView } from "../../ui/view";
import { textChoices } from "./choices";
import { buildText } from "./content";
import { decodeText, isCut, type TextValue } from "./kind/value";
import { countHits, markHits, patternOf } from "./marks";
import { type MissingTexts, type WantedText, wholeOf } from "./missing";
import { type Hit, searchOf } from "./search";

interface Props {
  readonly value: TextValue;
  readonly text: WantedText;
  readonly missing: MissingTexts;
  /** Where this is what was jumped to: another object each time. */
  readonly current: Hit | null;
}

export function TextBody({ value: first, text, missing, current }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const { text_raw, text_search } = useChoices(textChoices);
  const whole = useSignal<TextValue | null>(null);
  const value = whole.value ?? first;
  const all = useSignal(false);
  const raw = text_raw.value;
  const words = text_search.value;
  const built = useMemo(() => buildText(value, { raw, all: all.value }), [value, raw, all.value]);
  useLayoutEffect(() => {
    host.current?.replaceChildren(built.nodes);
  }, [built]);
  const isHidden = useSignal(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was built anew has no marks
  useLayoutEffect(() => {
    const pattern = patternOf(words);
    const marks = host.current === null ? [] : markHits(host.current, pattern);
    isHidden.value =
      pattern !== null && marks.length === 0 && value.values.some((text) => countHits(text, pattern) > 0);
  }, [built, words, value, isHidden]);
  const search = searchOf(useView());
  useEffect(() => {
    if (current !== null && search.isOnTheWay(current)) {
      (host.current?.querySelector("mark") ?? host.current)?.scrollIntoView({ block: "nearest" });
      search.arrive(current);
    }
  }, [current, search]);
  const more = built.more || (isCut(value) && whole.value === null);
  return (
    <div class="tbwidget-text-body">
      <div ref={host} />
      {isHidden.value && <p class="tbwidget-text-notes">{strings.text.foundInHidden}</p>}
      {(built.notes.length > 0 || more || value.cut > 0) && (
        <p class="tbwidget-text-notes">
          {built.notes.join(" ")} {value.cut > 0 && strings.text.textCut(formatBytes(value.cut))}{" "}
          {more && (
            <ShowAll
              isHere={!isCut(value) || whole.value !== null}
              text={text}
              missing={missing}
              show={(found) => {
                whole.value = found ?? whole.value;
                all.value = true;
              }}
            />
          )}
        </p>
      )}
    </div>
  );
}

interface ShowAllProps {
  readonly isHere: boolean;
  readonly text: WantedText;
  readonly missing: MissingTexts;
  /** All of the text; null: that which is here. */
  show(whole: TextValue | null): void;
}

/** Shows all of a long text; what has not arrived is requested. */
function ShowAll({ isHere, text, missing, show }: ShowAllProps) {
  const message = useSignal<string | null>(null);
  const end = useMemo(() => new AbortController(), []);
  useEffect(() => () => end.abort(), [end]);
  const ask = () => {
    if (isHere) {
      show(null);
      return;
    }
    const pending = missing.askWhole(text, end.signal);
    message.value = strings.waitsForKernel;
    const stop = effect(() => {
      if (pending.state.value === "waits") {
        return;
      }
      const answer = pending.answer.value;
      const found = answer === null ? (pending.reason.value ?? "") : wholeOf(answer.value, answer.data);
      queueMicrotask(() => {
        stop();
        message.value = typeof found === "string" ? found : null;
        if (typeof found !== "string") {
          show(decodeText(found));
        }
      });
    });
    end.signal.addEventListener("abort", stop, { once: true });
  };
  return message.value === null ? (
    <button type="button" class="tbwidget-link" onClick={ask}>
      {strings.showAll}
    </button>
  ) : (
    <span role="status">{message.value}</span>
  );
}
