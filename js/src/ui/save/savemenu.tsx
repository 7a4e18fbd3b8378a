// The menu that saves and copies: data and pictures of one card, or of all.

import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { formatCount } from "../../lib/format";
import { titleOf } from "../panel";
import { MenuLabel, Popover } from "../popover";
import { uiTexts } from "../texts";
import { useView, type View } from "../view";
import type { SavableCard } from "./cards";
import { CodeItem } from "./code";
import { Item } from "./item";
import { PictureItems } from "./pictureitems";
import { countsOf, type DataJob, DataSaver, type DataTarget, heldSeries, stemOf } from "./savedata";
import type { TableKind } from "./tablekind";
import { saveTexts } from "./texts";
import "./save.css";

const DATA: readonly DataTarget[] = ["csv", "json", "copy"];

interface Props {
  readonly title: string;
  readonly table: TableKind;
  /** A card's title; null for all cards. */
  readonly name: string | null;
  /** The tags whose data are saved; by default those of the cards. */
  tags?(): readonly string[];
  /** The cards drawn. */
  cards(): readonly SavableCard[];
}

export function SaveMenu({ title, table, name, tags, cards }: Props) {
  const view = useView();
  const panel = view.panel.value;
  const saver = useMemo(() => new DataSaver(table, view), [table, view]);
  useEffect(() => () => saver.end(), [saver]);
  const pictureMessage = useSignal<string | null>(null);
  const root = useRef<HTMLSpanElement>(null);
  const stem = stemOf(panel?.name ?? "", name);
  const state = saver.job.value?.state;
  const waits = state === "waits" || state === "writing";
  const tagsOf = () => tags?.() ?? cards().flatMap((card) => card.tags);
  const saveData = (target: DataTarget) => {
    pictureMessage.value = null;
    if (root.current !== null) {
      saver.begin(target, tagsOf(), stem, root.current);
    }
  };
  return (
    <span ref={root} class="tbwidget-save-menu" aria-busy={waits}>
      <Popover
        label={
          waits ? (
            saveTexts().busy
          ) : (
            <MenuLabel text={saveTexts().save} icon="M6 1v6.5M3.2 5 6 7.8 8.8 5M1.5 8v2.5h9V8" />
          )
        }
        title={title}
        active={waits}
      >
        {(close) => (
          <div data-lm-suppress-shortcuts="true">
            {name === null && <AllCards />}
            <h4 title={saveTexts().dataHint}>{saveTexts().data}</h4>
            <Counts table={table} view={view} tags={tagsOf()} />
            <ul>
              {DATA.map((target) => (
                <Item
                  key={target}
                  name={target === "copy" ? saveTexts().copyData : saveTexts().formats[target]}
                  action={`save.${target}`}
                  chosen={() => saveData(target)}
                />
              ))}
            </ul>
            <PictureItems
              {...{ stem, cards }}
              heading={name ?? (panel === undefined ? "" : titleOf(panel))}
              leftOut={name === null ? (view.grid.value?.folded.value ?? 0) : 0}
              said={(message) => {
                saver.clear();
                pictureMessage.value = message;
              }}
            />
            {name === null && <CodeItem close={close} />}
            <Status
              job={saver.job.value}
              table={table}
              saver={saver}
              picture={pictureMessage.value}
              closed={() => {
                pictureMessage.value = null;
                saver.clear();
              }}
            />
          </div>
        )}
      </Popover>
    </span>
  );
}

/** Mounts all cards while it exists: a card gives its picture itself. */
function AllCards() {
  const { visibility } = useView();
  useLayoutEffect(() => visibility.mountAll(), [visibility]);
  return null;
}

interface CountsProps {
  readonly table: TableKind;
  readonly view: View;
  readonly tags: readonly string[];
}

/** How much there is, and how much of it is here while the kernel cannot answer. */
function Counts({ table, view, tags }: CountsProps) {
  const { status, savedAt } = view.channel.store;
  const { here, all, hereText, allText } = countsOf(table, heldSeries(table, tags, view));
  const isAway = status.value?.cell === true || savedAt.value !== null;
  return <p>{isAway && here < all ? saveTexts().someHere(hereText, allText) : allText}</p>;
}

interface StatusProps {
  readonly job: DataJob | null;
  readonly table: TableKind;
  readonly saver: DataSaver;
  /** The message about the last picture. */
  readonly picture: string | null;
  /** Called when the menu closes: its messages are not shown again. */
  closed(): void;
}

function Status({ job, table, saver, picture, closed }: StatusProps) {
  const onClose = useRef(closed);
  onClose.current = closed;
  useEffect(() => () => onClose.current(), []);
  return (
    <>
      {job !== null && <JobStatus job={job} table={table} saver={saver} />}
      {picture !== null && <Message text={picture} />}
    </>
  );
}

function JobStatus({ job, table, saver }: { job: DataJob } & Pick<StatusProps, "table" | "saver">) {
  if (job.state === "waits") {
    const { received, total, target } = job;
    return (
      <div class="tbwidget-save-status">
        <p role="status" title={uiTexts().waitsForKernelHint}>
          {saveTexts().waits(formatCount(received.value), table.counted(total, formatCount(total)))}
        </p>
        <button type="button" class="tbwidget-link" title={saveTexts().nowHint} onClick={() => saver.finish()}>
          {target === "copy" ? saveTexts().copyNow : saveTexts().saveNow}
        </button>
      </div>
    );
  }
  if (job.state === "ready") {
    return (
      <div class="tbwidget-save-status">
        <p role="status">{saveTexts().copyReady(countsOf(table, [job.gathered]).allText)}</p>
        <button type="button" class="tbwidget-link" onClick={() => void saver.copy(job)}>
          {saveTexts().copyAgain}
        </button>
      </div>
    );
  }
  return <Message text={job.state === "writing" ? saveTexts().writing : job.text} />;
}

export function Message({ text }: { readonly text: string }) {
  return (
    <p class="tbwidget-save-status" role="status">
      {text}
    </p>
  );
}
