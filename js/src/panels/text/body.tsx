// What a text says: built of nodes of its own, with what is looked for marked.

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { itemSource } from "../../items/source";
import { formatBytes } from "../../lib/format";
import { useMarkdown } from "../../ui/markdown/nodes";
import { uiTexts } from "../../ui/texts";
import { useOptions, useView } from "../../ui/view";
import { isCut, type TextValue } from "./codec";
import { buildText, shownPart } from "./content";
import { type TextPlace, textItems, wholeText } from "./item";
import { countHits, markHits, patternOf } from "./marks";
import { textOptions } from "./options";
import { type Hit, searchOf } from "./search";
import { textPanelTexts } from "./texts";

/** Milliseconds for which nothing is shown of a text that is being rendered; then it is shown as it was written. */
const PATIENCE = 150;

interface Props {
  readonly value: TextValue;
  readonly place: TextPlace;
  /** Where this is what was jumped to: another object each time. */
  readonly current: Hit | null;
  /** Something of the text is on the page. */
  drawn(): void;
}

export function TextBody({ value: first, place, current, drawn }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const { text_raw, text_search } = useOptions(textOptions);
  const whole = useSignal<TextValue | null>(null);
  const value = whole.value ?? first;
  const all = useSignal(false);
  const raw = text_raw.value;
  const words = text_search.value;
  const part = useMemo(() => shownPart(value, all.value), [value, all.value]);
  const markdown = useMarkdown(raw || !part.whole ? null : part.values);
  const isLate = usePatience(markdown === undefined ? part : null);
  const built = useMemo(
    () =>
      markdown === undefined && !isLate
        ? null
        : buildText(value, part, markdown ?? null, raw || markdown === undefined),
    [value, part, raw, markdown, isLate],
  );
  useLayoutEffect(() => {
    if (built !== null) {
      host.current?.replaceChildren(built.nodes);
    }
  }, [built]);
  useLayoutEffect(() => {
    if (built !== null) {
      drawn();
    }
  }, [built, drawn]);
  const isHidden = useSignal(false);
  useLayoutEffect(() => {
    const pattern = patternOf(words);
    const marks = host.current === null ? [] : markHits(host.current, pattern);
    isHidden.value =
      built !== null &&
      pattern !== null &&
      marks.length === 0 &&
      value.values.some((text) => countHits(text, pattern) > 0);
  }, [built, words, value, isHidden]);
  const search = searchOf(useView());
  useEffect(() => {
    if (current !== null && markdown !== undefined && search.isOnTheWay(current)) {
      (host.current?.querySelector("mark") ?? host.current)?.scrollIntoView({ block: "nearest" });
      search.arrive(current);
    }
  }, [current, markdown, search]);
  const more = part.more || (isCut(value) && whole.value === null);
  return (
    <div class="tbwidget-text-body">
      <div ref={host} />
      {isHidden.value && <p class="tbwidget-text-notes">{textPanelTexts().foundInHidden}</p>}
      {built !== null && (built.notes.length > 0 || more || value.cut > 0) && (
        <p class="tbwidget-text-notes">
          {built.notes.join(" ")} {value.cut > 0 && textPanelTexts().textCut(formatBytes(value.cut))}{" "}
          {more && (
            <ShowAll
              isHere={!isCut(value) || whole.value !== null}
              place={place}
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

/** Whether what is waited for has not come in time; null: nothing is. */
function usePatience(awaited: object | null): boolean {
  const late = useSignal<object | null>(null);
  useEffect(() => {
    if (awaited === null) {
      return;
    }
    const timer = setTimeout(() => {
      late.value = awaited;
    }, PATIENCE);
    return () => clearTimeout(timer);
  }, [awaited, late]);
  return awaited !== null && late.value === awaited;
}

interface ShowAllProps {
  readonly isHere: boolean;
  readonly place: TextPlace;
  /** All of the text; null: that which is here. */
  show(whole: TextValue | null): void;
}

/** Shows all of a long text; what has not arrived is requested. */
function ShowAll({ isHere, place, show }: ShowAllProps) {
  const { channel } = useView();
  const message = useSignal<string | null>(null);
  const end = useMemo(() => new AbortController(), []);
  useEffect(() => () => end.abort(), [end]);
  const ask = () => {
    if (isHere) {
      show(null);
      return;
    }
    message.value = uiTexts().waitsForKernel;
    const revision = itemSource(channel, textItems).revisionOf(place);
    wholeText(channel.requests, { ...place, revision }, end.signal).then(
      (found) => {
        message.value = null;
        show(found);
      },
      (error: Error) => {
        message.value = error.message;
      },
    );
  };
  return message.value === null ? (
    <button type="button" class="tbwidget-link" onClick={ask}>
      {uiTexts().showAll}
    </button>
  ) : (
    <span role="status">{message.value}</span>
  );
}
