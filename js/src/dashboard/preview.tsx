// Says in all panels but the one with the plot that they show the runs that are brushed there.

import { strings } from "../lib/strings";
import { useView } from "../ui/view";

const { parallel: texts } = strings;

export function PreviewBar() {
  const { options, panel } = useView();
  const preview = options.runs.preview.value;
  if (preview === null || !options.runs.isPreviewing.value || panel.value?.name === preview.panel) {
    return null;
  }
  return (
    <div class="tbwidget-preview" role="status">
      <span title={texts.previewHint}>{texts.preview(preview.label.value)}</span>
      <button type="button" class="tbwidget-link" title={texts.onlyTheseHint} onClick={() => preview.commit()}>
        {preview.commitLabel.value}
      </button>
      <button type="button" class="tbwidget-link" title={texts.endPreviewHint} onClick={() => preview.end()}>
        {texts.endPreview}
      </button>
    </div>
  );
}
