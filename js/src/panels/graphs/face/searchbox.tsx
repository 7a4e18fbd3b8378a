// The box that nodes are searched in; Enter goes from one to the next.

import { formatCount } from "../../../lib/format";
import { strings } from "../../../lib/strings";
import { SearchInput } from "../../../ui/searchinput";
import { searching } from "../searching";
import type { GraphState } from "../state";

export function SearchBox({ state }: { readonly state: GraphState }) {
  const search = searching(state);
  const count = search.nodes.value.length;
  return (
    <search class="tbwidget-graph-search">
      {search.text.value !== "" && <output>{strings.graphs.hitCount(search.place.value, formatCount(count))}</output>}
      <SearchInput
        name={strings.graphs.search}
        hint={strings.graphs.searchHint}
        text={search.text.value}
        box={search.box}
        invalid={search.problem.value !== null}
        busy={search.waits.value}
        find={(text) => search.setText(text)}
        go={(by) => search.go(by)}
        focused={() => {
          search.listed.value = true;
        }}
      />
    </search>
  );
}
