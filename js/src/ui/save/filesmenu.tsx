// The menu that saves the files of one card, or of all, as they were written. Missing files are requested from the kernel. A
// user who does not wait for them saves the others, and the message says so.

import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { formatCount } from "../../lib/format";
import { MenuLabel, Popover } from "../popover";
import { uiTexts } from "../texts";
import { useView } from "../view";
import { CodeItem } from "./code";
import { Item } from "./item";
import { Message } from "./savemenu";
import { saveTexts } from "./texts";
import "./save.css";

/** Files that are being gathered. */
export interface FileJob {
  /** Files that the kernel has yet to answer for. */
  readonly left: ReadonlySignal<number>;
  /** Asks for no more. */
  end(): void;
  /** Saves what has come, and resolves to a message for the user. */
  save(): Promise<string>;
}

/** Something else that the menu saves at once. */
export interface OtherFiles {
  readonly name: string;
  /** The action of the palette that saves it. */
  readonly action: string;
  /** Resolves to a message for the user. */
  save(): Promise<string>;
}

interface Props {
  readonly title: string;
  /** Plural noun for the saved files. */
  readonly heading: string;
  /** Names the files in the menu: one, and several in a zip. */
  readonly names?: readonly [one: string, several: string] | undefined;
  readonly others?: readonly OtherFiles[] | undefined;
  /** It is the menu of a panel, which also copies the view. */
  readonly ofPanel: boolean;
  readonly nowHint: string;
  /** How many there are. */
  count(): number;
  counted(count: number, n: string): string;
  begin(): FileJob;
}

export function FilesMenu({ title, heading, ofPanel, nowHint, count, counted, begin, ...props }: Props) {
  const { names = [saveTexts().asWritten, saveTexts().asZip], others = [] } = props;
  const { channel } = useView();
  const job = useSignal<FileJob | null>(null);
  const message = useSignal<string | null>(null);
  useEffect(() => () => job.peek()?.end(), [job]);
  const start = () => {
    job.peek()?.end();
    message.value = null;
    job.value = begin();
  };
  const tell = (saved: Promise<string>) => {
    saved.then(
      (text) => {
        message.value = text;
      },
      (error) => {
        message.value = saveTexts().failed(String(error));
      },
    );
  };
  const finish = () => {
    const now = job.peek();
    if (now === null) {
      return;
    }
    now.end();
    job.value = null;
    tell(now.save());
  };
  // Without a kernel there is nothing to wait for.
  useSignalEffect(() => {
    if (job.value !== null && (job.value.left.value === 0 || channel.store.savedAt.value !== null)) {
      queueMicrotask(finish);
    }
  });
  const waits = job.value !== null;
  return (
    <span class="tbwidget-save-menu" aria-busy={waits}>
      <Popover label={waits ? saveTexts().busy : <MenuLabel text={saveTexts().save} />} title={title} active={waits}>
        {(close) => {
          const there = count();
          return (
            <div data-lm-suppress-shortcuts="true">
              <h4>{heading}</h4>
              <p>{counted(there, formatCount(there))}</p>
              <ul>
                <Item name={names[there === 1 ? 0 : 1]} action="save.files" chosen={start} disabled={there === 0} />
                {others.map(({ name, action, save }) => (
                  <Item key={name} {...{ name, action }} chosen={() => tell(save())} disabled={there === 0} />
                ))}
              </ul>
              {ofPanel && <CodeItem close={close} />}
              {job.value !== null && job.value.left.value > 0 && (
                <div class="tbwidget-save-status">
                  <p role="status" title={uiTexts().waitsForKernelHint}>
                    {saveTexts().filesWait(formatCount(job.value.left.value))}
                  </p>
                  <button type="button" class="tbwidget-link" title={nowHint} onClick={finish}>
                    {saveTexts().saveNow}
                  </button>
                </div>
              )}
              {message.value !== null && <Message text={message.value} />}
              <Closed
                closed={() => {
                  message.value = null;
                }}
              />
            </div>
          );
        }}
      </Popover>
    </span>
  );
}

/** Calls `closed` when the menu closes: its message has been read. */
function Closed({ closed }: { closed(): void }) {
  const onClose = useRef(closed);
  onClose.current = closed;
  useEffect(() => () => onClose.current(), []);
  return null;
}
