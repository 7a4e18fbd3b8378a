// The cards of scalars: of a tag, and of several that the user has put together or that match a regular expression.

import type { TagScalars } from "../../lines/codec";
import { LineCard } from "../../lines/linecard";
import type { CardProps, SeveralProps } from "../../ui/groups";
import { SeveralTagsCard } from "../../ui/severalcard";
import { LastValue, Notes } from "./notes";

export function ScalarCard({ tag, label, data }: CardProps<TagScalars>) {
  return (
    <LineCard
      panel="scalars"
      label={label}
      shown={[{ tag, data }]}
      composed={null}
      marks={<Notes data={data} />}
      value={<LastValue data={data} />}
    />
  );
}

export function SeveralCard({ id, takeOut, ...several }: SeveralProps<TagScalars>) {
  return (
    <SeveralTagsCard panel="scalars" {...several}>
      {({ shown, label, title, buttons }) => (
        <LineCard
          panel="scalars"
          label={label}
          shown={shown}
          composed={{ ...{ id, title, buttons }, takeOut: several.pattern === null ? takeOut : undefined }}
        />
      )}
    </SeveralTagsCard>
  );
}
