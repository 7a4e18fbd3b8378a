// The menu that saves images: as they were written, or, where that is not to be waited for, as they are here.

import { formatCount } from "../../../lib/format";
import { strings } from "../../../lib/strings";
import { type FileJob, FilesMenu } from "../../../ui/save/filesmenu";
import { useView, type View } from "../../../ui/view";
import { type ImagePlace, images } from "../kind/codec";
import { pictureSource } from "../source";
import { type Saved, save } from "./download";
import { type Candidate, Gathering } from "./gather";

interface Props {
  readonly label: string;
  readonly title: string;
  places(): readonly ImagePlace[];
  /** Of a zip: without its extension. */
  readonly name: string;
}

export function SaveImages({ label, title, places, name }: Props) {
  const view = useView();
  return (
    <FilesMenu
      label={label}
      title={title}
      heading={strings.images.saveHeading}
      nowHint={strings.images.saveNowHint}
      count={() => places().length}
      counted={strings.images.counted}
      begin={() => jobOf(candidatesOf(places(), view), name, view)}
    />
  );
}

function jobOf(candidates: readonly Candidate[], name: string, view: View): FileJob {
  const gathering = new Gathering(candidates, view.channel.requests);
  return {
    left: gathering.left,
    end: () => gathering.end(),
    save: async () => messageOf(await save(candidates, gathering.files(), (one) => rowsOf(one, view), name)),
  };
}

function candidatesOf(places: readonly ImagePlace[], { channel }: View): Candidate[] {
  const source = pictureSource(channel);
  return places.map((place) => {
    const state = source.picture(place);
    return { place, picture: state.state === "held" ? state.picture : null };
  });
}

function rowsOf({ place: { tag, run } }: Candidate, { channel }: View) {
  return channel.store.items(images).tag(tag)?.byRun.get(run)?.rows ?? [];
}

function messageOf({ written, shown, missing, drawings }: Saved): string {
  const parts = [
    written > 0 ? strings.images.savedAsWritten(formatCount(written)) : "",
    shown > 0 ? strings.images.savedAsShown(formatCount(shown)) : "",
    missing > 0 ? strings.images.leftUnsaved(formatCount(missing)) : "",
    drawings ? strings.images.drawingsSaved : "",
  ];
  return strings.list(parts.filter((part) => part !== ""));
}
