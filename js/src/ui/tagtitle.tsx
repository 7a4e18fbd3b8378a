// What the writer calls a tag and says about it: the names on cards, and a button that opens the description.

import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { listOf } from "../lib/texts";
import { displayName, type TagText, textsOf } from "../wire/tagtexts";
import { useMarkdown } from "./markdown/nodes";
import { Popover } from "./popover";
import { cardTexts } from "./texts";
import { useView, type View } from "./view";
import "./tagtitle.css";

/** Characters of a description in the tooltip of a name; the button shows all of it. */
const MAX_HINT_CHARACTERS = 300;

const NO_TEXTS: readonly TagText[] = [];

function textsIn({ channel, panel }: View, tag: string): readonly TagText[] {
  const texts = channel.store.tagTexts.value;
  return texts.size === 0 ? NO_TEXTS : textsOf(texts, kindsOf(panel.value), tag);
}

function kindsOf(panel: View["panel"]["value"]): string[] {
  return panel?.codecs.map(({ kind }) => kind) ?? [];
}

/** The display name of a tag in the panel that is shown; null where it has none. */
export function shownName({ channel, panel }: View, tag: string): string | null {
  const texts = channel.store.tagTexts.value;
  return texts.size === 0 ? null : displayName(texts, kindsOf(panel.value), tag);
}

/** The tooltip of a name: the tag, and how its description begins. */
export function tagHint(view: View, tag: string, title = tag): string {
  const description = textsIn(view, tag).find((text) => text.description !== "")?.description ?? "";
  const begin = description.slice(0, MAX_HINT_CHARACTERS);
  return begin === "" ? title : `${title}\n${begin}${begin === description ? "" : "…"}`;
}

/** Whether more is known of a tag than its name. */
export function isDescribed(view: View, tag: string): boolean {
  return textsIn(view, tag).some(({ description, isCut }, i) => description !== "" || isCut || i > 0);
}

/** The button that opens the descriptions of tags; nothing where there are none. */
export function AboutTags({ tags }: { readonly tags: readonly string[] }) {
  const view = useView();
  const described = tags.filter((tag) => isDescribed(view, tag)).map((tag) => ({ tag, texts: textsIn(view, tag) }));
  return (
    described.length > 0 && (
      <span class="tbwidget-about">
        <Popover
          label={
            <span role="img" aria-label={cardTexts().about}>
              i
            </span>
          }
          title={cardTexts().about}
          action="card.description"
        >
          {() => described.map(({ tag, texts }) => <About key={tag} tag={tag} texts={texts} />)}
        </Popover>
      </span>
    )
  );
}

function About({ tag, texts }: { readonly tag: string; readonly texts: readonly TagText[] }) {
  return (
    <section class="tbwidget-about-tag" data-about={tag}>
      <code>{tag}</code>
      {texts.map(({ name, description, isCut, runs, others }) => (
        <div key={`${name}\n${description}`}>
          {texts.length > 1 && (
            <p class="tbwidget-quiet">
              {listOf([...runs, ...(others > 0 ? [cardTexts().moreRuns(others, String(others))] : [])])}
            </p>
          )}
          {name !== "" && <strong>{name}</strong>}
          {description !== "" && <Description text={description} />}
          {isCut && <p class="tbwidget-quiet">{cardTexts().aboutCut}</p>}
        </div>
      ))}
    </section>
  );
}

/** Markdown, as in TensorBoard; as it was written where it cannot be rendered. */
function Description({ text }: { readonly text: string }) {
  const host = useRef<HTMLDivElement>(null);
  const nodes = useMarkdown(useMemo(() => [text], [text]));
  useLayoutEffect(() => {
    host.current?.replaceChildren(...(nodes ?? [text]));
  }, [text, nodes]);
  return <div ref={host} />;
}
