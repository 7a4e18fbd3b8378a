// Cards of tags whose values do not fit their kind: there is nothing to draw, so they say why, and in which file.

import type { Problem } from "../wire/protocol";
import { CARD_GAP } from "./arranging";
import { Elided } from "./elided";
import { uiTexts } from "./texts";
import { useView } from "./view";

/** Cards at most. The header lists all problems. */
const MAX_MISMATCHES = 24;

/** `tags` are those with content. */
export function Mismatches({ tags }: { readonly tags: ReadonlySet<string> }) {
  const { channel, options, panel } = useView();
  const matches = options.tagFilter.matches.value;
  const byTag = new Map<string, Problem[]>();
  for (const problem of channel.store.problems.value) {
    const { code, args } = problem.madeOf ?? {};
    const tag = args?.tag;
    if (
      code === "kind-mismatch" &&
      panel.value?.codecs.some(({ kind }) => kind === args?.kind) &&
      typeof tag === "string" &&
      !tags.has(tag) &&
      matches(tag)
    ) {
      byTag.set(tag, [...(byTag.get(tag) ?? []), problem]);
    }
  }
  return (
    byTag.size > 0 && (
      <div class="tbwidget-cards" style={{ marginBlockStart: `${CARD_GAP}px` }}>
        {[...byTag].slice(0, MAX_MISMATCHES).map(([tag, problems]) => (
          <article
            key={tag}
            class="tbwidget-card"
            // It is no card of content, as those with `data-tag` are.
            data-mismatch={tag}
            style={{ height: "auto" }}
            aria-label={tag}
          >
            <header class="tbwidget-card-header">
              <h4 title={tag}>
                <Elided text={tag} />
              </h4>
            </header>
            {problems.map(({ path, offset, message }) => (
              <p key={`${path}\n${offset}\n${message}`} class="tbwidget-hint">
                {uiTexts().problemAt(message, path, offset)}
              </p>
            ))}
          </article>
        ))}
      </div>
    )
  );
}
