// What the runs are colored by.

import { strings } from "../../lib/strings";
import { GroupingForm } from "../../ui/grouping";
import { useView } from "../../ui/view";

const texts = strings.runTable;

export function ColorsSection() {
  const { options } = useView();
  const { run_color_by } = options.runTable;
  const own = options.runGroups.grouped.value ? [{ key: "group", name: texts.grouping.group }] : [];
  return (
    <GroupingForm
      label={texts.colorBy}
      value={run_color_by.value}
      options={[{ key: "run", name: texts.grouping.run }, ...own]}
      problem={options.colors.problem.value}
      set={(value) => run_color_by.set(value)}
    />
  );
}
