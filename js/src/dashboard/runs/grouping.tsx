// What the runs are coloured by.

import { strings } from "../../lib/strings";
import { GroupingForm } from "../../ui/grouping";
import { useView } from "../../ui/view";

const texts = strings.runTable;

export function ColoursSection() {
  const { choices } = useView();
  const { run_color_by } = choices.runTable;
  const own = choices.runGroups.grouped.value ? [{ key: "group", name: texts.grouping.group }] : [];
  return (
    <GroupingForm
      label={texts.colourBy}
      value={run_color_by.value}
      options={[{ key: "run", name: texts.grouping.run }, ...own]}
      problem={choices.colours.problem.value}
      set={(value) => run_color_by.set(value)}
    />
  );
}
