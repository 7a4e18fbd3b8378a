// The texts: cards by tag, and the controls that hold for all of them.

import { useEffect } from "preact/hooks";
import { useItemSteps } from "../../items/playback";
import { formatCount } from "../../lib/format";
import { namedRangeOptions } from "../../options/namedranges";
import { timeAxisOptions } from "../../options/shared";
import type { Action } from "../../ui/actions";
import { arrangeActions, describeCard, onCard, onPart } from "../../ui/cardcommands";
import { choiceAmong } from "../../ui/choices";
import { FilterTags } from "../../ui/controls";
import { cardGestures, keyGestures } from "../../ui/gestures";
import { Groups } from "../../ui/groups";
import { definePanel } from "../../ui/panel";
import { commandOn, pressing, reachable, topLayer } from "../../ui/reach";
import { CodeMenu } from "../../ui/save/code";
import { SearchInput } from "../../ui/searchinput";
import { Toolbar } from "../../ui/toolbar";
import { useOptions, useView } from "../../ui/view";
import { TextCard } from "./card";
import { text as codec, text as textCodec } from "./codec";
import { hasDifferences } from "./differences";
import { textOptions } from "./options";
import { textsOf } from "./runs";
import { searchOf } from "./search";
import { textPanelTexts } from "./texts";
import { TREE_KEYS } from "./tree";
import "./comparison.css";
import "./text.css";

const FORMS = ["markdown", "raw"] as const;

export function TextPanel() {
  return <Groups of={useView().channel.store.items(codec)} Card={TextCard} nameOf={nameOf} />;
}

export function TextToolbar() {
  const texts = useView().channel.store.items(codec);
  return (
    <Toolbar
      name={textPanelTexts().title}
      actions={ACTIONS}
      save={<CodeMenu />}
      filter={<FilterTags tags={texts.tags.value} />}
    >
      <SearchBox />
    </Toolbar>
  );
}

/** Opens or closes all branches of the trees on the page. */
function folding(id: string, name: () => string, opens: boolean): Action {
  const selector = `.tbwidget-tree [aria-expanded="${!opens}"]`;
  return {
    ...{ kind: "command", id, name, pressesControl: true },
    applies: (view) => reachable(view, selector) !== null,
    run: (view) => {
      for (const item of topLayer(view).querySelectorAll(selector)) {
        item.setAttribute("aria-expanded", String(opens));
      }
    },
  };
}

const ACTIONS: readonly Action[] = [
  choiceAmong({
    id: "text.text_raw",
    bar: "drawn",
    name: () => textPanelTexts().textFormsTitle,
    values: FORMS,
    names: () => textPanelTexts().textForms,
    hints: () => textPanelTexts().textFormHints,
    option: ({ options }) => {
      const { text_raw } = options.of(textOptions);
      return {
        get value() {
          return text_raw.value ? "raw" : "markdown";
        },
        peek: () => (text_raw.peek() ? "raw" : "markdown"),
        set: (form) => text_raw.set(form === "raw"),
      };
    },
  }),
  commandOn(".tbwidget-text-search input", "focus", {
    id: "text.search",
    name: () => textPanelTexts().searchTexts,
  }),
  pressing("text.next_hit", () => textPanelTexts().nextHit),
  pressing("text.previous_hit", () => textPanelTexts().previousHit),
  onCard("text.differences", () => textPanelTexts().differences, {
    has: ({ tags: [tag = ""] }, view) => {
      const data = view.channel.store.items(codec).tag(tag);
      const linked = view.options.of(timeAxisOptions).linked_step.value;
      return (
        data !== undefined && hasDifferences(view, tag, textsOf(data, view), linked === null ? null : BigInt(linked))
      );
    },
  }),
  onPart("text.compare", () => textPanelTexts().compare),
  pressing("text.end_comparison", () => textPanelTexts().endComparison),
  onPart("text.copy", () => textPanelTexts().copy),
  folding("text.unfold", () => textPanelTexts().unfold, true),
  folding("text.fold", () => textPanelTexts().fold, false),
  onCard("text.wide", () => textPanelTexts().wideCard),
  describeCard,
  ...arrangeActions,
  ...keyGestures(
    "text",
    () => textPanelTexts().title,
    TREE_KEYS,
    () => textPanelTexts().treeKeys,
  ),
  ...cardGestures(false),
];

/** The search box, the number of texts with matches, and the way from one to the next. */
function SearchBox() {
  const view = useView();
  const { text_search } = useOptions(textOptions);
  const search = searchOf(view);
  useEffect(() => search.follow(), [search]);
  const { hits, searched, total } = search.found.value;
  const words = text_search.value;
  const place = search.place();
  return (
    <search class="tbwidget-text-search">
      <SearchInput
        name={textPanelTexts().searchTexts}
        text={words}
        find={(typed) => text_search.set(typed)}
        go={(by) => search.go(by)}
      />
      {words !== "" && (
        <>
          <output title={textPanelTexts().searchedHint(formatCount(searched), formatCount(total))}>
            {textPanelTexts().hitCount(place + 1, formatCount(hits.length))}
            {searched < total && (
              <span class="tbwidget-quiet">
                {" "}
                {textPanelTexts().searched(formatCount(searched), formatCount(total))}
              </span>
            )}
          </output>
          <button
            type="button"
            title={textPanelTexts().previousHit}
            data-action="text.previous_hit"
            disabled={hits.length === 0}
            onClick={() => search.go(-1)}
          >
            <span aria-hidden="true">↑</span>
          </button>
          <button
            type="button"
            title={textPanelTexts().nextHit}
            data-action="text.next_hit"
            disabled={hits.length === 0}
            onClick={() => search.go(1)}
          >
            <span aria-hidden="true">↓</span>
          </button>
        </>
      )}
    </search>
  );
}

/** torch and tensorboardX add this to every tag of texts. It means nothing. */
const ADDED = "/text_summary";

function nameOf(tag: string): string {
  return tag.endsWith(ADDED) ? tag.slice(0, -ADDED.length) : tag;
}

export const text = definePanel({
  name: "text",
  title: () => textPanelTexts().title,
  codecs: [textCodec],
  options: [timeAxisOptions, namedRangeOptions, textOptions],
  actions: ACTIONS,
  useSteps: () => useItemSteps(textCodec),
  Toolbar: TextToolbar,
  Body: TextPanel,
});
