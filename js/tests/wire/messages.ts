// Messages as the kernel sends them, for tests.

import messages from "../fixtures/messages.json";

export interface Recorded {
  readonly header: unknown;
  readonly buffer: DataView;
}

/** The messages that tests/unit/test_panels_wire.py holds the kernel to. */
export function recorded(): Recorded[] {
  return messages.map(({ header, buffer }) => ({ header, buffer: view(atob(buffer)) }));
}

/** A view that begins at an odd byte of a larger buffer, which hosts are free to hand over. */
function view(bytes: string): DataView {
  const larger = new Uint8Array(bytes.length + 7);
  larger.set(
    Uint8Array.from(bytes, (character) => character.charCodeAt(0)),
    3,
  );
  return new DataView(larger.buffer, 3, bytes.length);
}
