// The histograms: cards by tag, and the controls that hold for all of them.

import { Groups } from "../../dashboard/groups";
import { AlongAxis, FilterTags, LinkedStep, Outliers, Segments, StepsInSight } from "../../dashboard/toolbar";
import { useView } from "../../dashboard/view";
import { strings } from "../../lib/strings";
import { HistogramCard } from "./card";

const MODES = ["offset", "overlay", "heatmap"] as const;

export function HistogramsPanel() {
  const { histograms } = useView().session.store;
  return (
    <Groups
      tags={histograms.tags.value}
      card={(tag, label) => {
        const data = histograms.tag(tag);
        return data && <HistogramCard key={tag} tag={tag} label={label} data={data} />;
      }}
    />
  );
}

export function HistogramsToolbar() {
  const { choices, session } = useView();
  const mode = choices.histogramMode.value;
  return (
    <div class="tbwidget-toolbar">
      <Segments
        title={strings.histogramModesTitle}
        options={MODES}
        names={strings.histogramModes}
        hints={strings.histogramModeHints}
        chosen={mode}
        choose={(chosen) => choices.drawAs(chosen)}
      />
      <AlongAxis hints={strings.alongHints} />
      {session.store.runs.value.length > 1 && mode !== "heatmap" && (
        <label class="tbwidget-check" title={strings.overlayRunsHint}>
          <input
            type="checkbox"
            checked={choices.overlayRuns.value}
            onChange={(event) => choices.overlay(event.currentTarget.checked)}
          />
          <span>{strings.overlayRuns}</span>
        </label>
      )}
      <Outliers hint={strings.outliersOfHistogramsHint} />
      <StepsInSight />
      <LinkedStep />
      <FilterTags tags={session.store.histograms.tags.value} />
    </div>
  );
}
