// The menu that saves the clips of a card, or of all.

import { strings } from "../../lib/strings";
import { FilesMenu } from "../../ui/save/filesmenu";
import { shownItems } from "../../ui/shownitems";
import { useView } from "../../ui/view";
import { clips } from "./kind/codec";
import { gatherClips } from "./save";

interface Props {
  readonly label: string;
  readonly title: string;
  /** Without it, the clips of all cards. */
  readonly tag?: string;
  /** Of a zip: without its extension. */
  readonly name: string;
}

export function SaveClips({ label, title, tag, name }: Props) {
  const view = useView();
  return (
    <FilesMenu
      label={label}
      title={title}
      heading={strings.audio.saveHeading}
      nowHint={strings.audio.saveNowHint}
      count={() => shownItems(view, clips, tag).length}
      counted={strings.audio.counted}
      begin={() => gatherClips(view.channel, shownItems(view, clips, tag), name)}
    />
  );
}
