// Profiles in the menu of the state: the lines that save, load and reset all options, and the file in the log directory that sets some.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { formatCount } from "../lib/format";
import { isolated, listOf } from "../lib/texts";
import { MAX_OPTIONS_FILE_BYTES, MAX_PROFILE_BYTES, PROFILE_NAME, profileText, readProfile } from "../options/profile";
import { saveFile } from "../ui/savefile";
import { useView } from "../ui/view";
import { profileTexts } from "./texts";

/** Names of options that are written out, and characters of each. */
const MAX_NAMES = 8;
const MAX_NAME_CHARACTERS = 60;

/** The lines that the menu shows about the last profile that was loaded or saved. */
type Outcome = readonly string[];

export function ProfileItems({ close }: { close(): void }) {
  const { options } = useView();
  const input = useRef<HTMLInputElement>(null);
  const outcome = useSignal<Outcome>([]);
  const take = async (file: File) => {
    outcome.value = file.size > MAX_PROFILE_BYTES ? [profileTexts().tooLarge] : outcomeOf(await file.text());
  };
  const outcomeOf = (text: string): Outcome => {
    const profile = readProfile(text);
    if (typeof profile === "string") {
      return [profileTexts().faults[profile]];
    }
    const { taken, unknown, wrong } = options.load(profile);
    return [
      profileTexts().taken(taken, formatCount(taken)),
      ...(wrong.length > 0 ? [profileTexts().wrong(named(wrong))] : []),
      ...(unknown.length > 0 ? [profileTexts().unknown(named(unknown))] : []),
    ];
  };
  return (
    <ul class="tbwidget-profile" aria-label={profileTexts().menu} title={profileTexts().menuHint}>
      <li>
        <button
          type="button"
          title={profileTexts().saveHint}
          onClick={() => {
            const saved = new Blob([profileText(options.profile())], { type: "application/json" });
            saveFile(saved, PROFILE_NAME);
            outcome.value = savedOutcome(saved.size);
            if (outcome.value.length === 0) {
              close();
            }
          }}
        >
          {profileTexts().save}
        </button>
      </li>
      <li>
        <button type="button" title={profileTexts().loadHint} onClick={() => input.current?.click()}>
          {profileTexts().load}
        </button>
        <input
          ref={input}
          type="file"
          hidden
          accept=".json,application/json"
          aria-label={profileTexts().load}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) {
              void take(file).catch(() => {
                outcome.value = [profileTexts().unreadable];
              });
            }
            currentTarget.value = "";
          }}
        />
      </li>
      <li>
        <button
          type="button"
          title={profileTexts().resetHint}
          onClick={() => {
            options.reset();
            close();
          }}
        >
          {profileTexts().reset}
        </button>
      </li>
      {outcome.value.length > 0 && (
        <li>
          <div role="status">
            {outcome.value.map((line) => (
              <p key={line}>{line}</p>
            ))}
          </div>
        </li>
      )}
    </ul>
  );
}

/** A warning if a saved profile of this size is too large to be loaded, or to be read from the log directory; else nothing. */
export function savedOutcome(bytes: number): Outcome {
  if (bytes > MAX_PROFILE_BYTES) {
    return [profileTexts().savedTooLarge];
  }
  return bytes > MAX_OPTIONS_FILE_BYTES ? [profileTexts().savedLarge] : [];
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => isolated(name.slice(0, MAX_NAME_CHARACTERS)));
  const more = names.length - shown.length;
  return listOf([...shown, ...(more > 0 ? [profileTexts().more(formatCount(more))] : [])]);
}

/** Names the file in the log directory that sets options; a click ignores it, or uses it again. */
export function FileOfOptions() {
  const { options } = useView();
  const file = options.file.value;
  if (file === null) {
    return null;
  }
  const hint = file.isIgnored
    ? file.isKnown
      ? profileTexts().useHint
      : profileTexts().useLaterHint
    : profileTexts().ignoreHint(listOf(file.options));
  return (
    <button
      type="button"
      class="tbwidget-link tbwidget-options-file"
      title={hint}
      aria-pressed={!file.isIgnored}
      onClick={() => options.ignoreFile(!file.isIgnored)}
    >
      {file.isIgnored ? profileTexts().ignored(file.name) : profileTexts().used(file.name)}
    </button>
  );
}
