// Two buttons that copy a table and save it as CSV.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Cell, delimited } from "../../lib/delimited";
import { saveTexts } from "../save/texts";
import { copyText, saveFile } from "../savefile";

/** Milliseconds for which the message stays that the table was copied. */
const MESSAGE_MS = 2000;

interface Props {
  /** Class of the buttons. */
  readonly class: string;
  /** Name of the CSV file. */
  readonly name: string;
  /** The titles of the columns, then all rows in the order of the table. */
  rows(): readonly (readonly Cell[])[];
}

export function TableFiles({ class: name, name: file, rows }: Props) {
  const texts = saveTexts().table;
  const message = useSignal<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async (beside: Element) => {
    message.value = (await copyText(delimited(rows(), "\t"), beside)) ? texts.copied : texts.notCopied;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      message.value = null;
    }, MESSAGE_MS);
  };
  return (
    <>
      <button
        type="button"
        class={name}
        title={texts.copyHint}
        onClick={({ currentTarget }) => void copy(currentTarget.parentElement ?? currentTarget)}
      >
        {message.value ?? saveTexts().copyData}
      </button>
      <button
        type="button"
        class={name}
        title={texts.csvHint}
        onClick={() => saveFile(new Blob([delimited(rows(), ",")], { type: "text/csv" }), file)}
      >
        {saveTexts().formats.csv}
      </button>
    </>
  );
}
