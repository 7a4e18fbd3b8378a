// Profiles as files: all options by name, checked before any is taken over. Twin of tbwidget/dashboard/profile.py.

const VERSION = 1;

export const PROFILE_NAME = "tbwidget.json";

/** Upper bound for a file that is loaded, as for Python's `profile=`: what is saved here can be loaded here. */
export const MAX_PROFILE_BYTES = 10_000_000;

/** Upper bound for `PROFILE_NAME` in a log directory, which is as untrusted as the logs. Keep in step with the twin. */
export const MAX_OPTIONS_FILE_BYTES = 1_000_000;

/** Why a text is no profile: it is not JSON, not an object of options, or of another version. */
export type ProfileFault = "json" | "form" | "version";

export function profileText(options: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ version: VERSION, ...options }, null, 1);
}

/** The options in the text of a profile, not checked yet, by name. */
export function readProfile(text: string): ReadonlyMap<string, unknown> | ProfileFault {
  let found: unknown;
  try {
    found = JSON.parse(text, (key, value) => {
      // No message of the kernel can carry a lone surrogate.
      if (/\p{Surrogate}/u.test(key) || (typeof value === "string" && /\p{Surrogate}/u.test(value))) {
        throw new SyntaxError("a lone surrogate");
      }
      return value;
    });
  } catch {
    return "json";
  }
  if (typeof found !== "object" || found === null || Array.isArray(found)) {
    return "form";
  }
  // A map: a file may name anything, "__proto__" too.
  const options = new Map(Object.entries(found));
  const version = options.get("version");
  options.delete("version");
  return version === VERSION ? options : "version";
}

/** Whether two values are the same in JSON. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return one === other;
  }
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === others.length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(Reflect.get(one, key), Reflect.get(other, key)))
  );
}
