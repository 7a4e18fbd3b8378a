// Messages as the kernel sends them, for tests.

import messages from "../fixtures/messages.json";

export interface Recorded {
  readonly header: unknown;
  readonly buffer: DataView;
}

/** The messages that tests/unit/test_wire_contract.py compares with the kernel's. */
const all = messages.map(({ header, buffer }) => ({ header, buffer: view(atob(buffer)) }));

/** Index at which the second channel begins. */
const second = messages.findIndex(({ header }, i) => i > 0 && header.seq === 1);

/** The messages of series, of one channel. */
export function recorded(): Recorded[] {
  return all.slice(0, second);
}

/** The messages of items, documents, answers and failures, of another channel. */
export function recordedBlobs(): Recorded[] {
  return all.slice(second);
}

/** A view that begins at an odd byte of a larger buffer, as hosts may provide. */
function view(bytes: string): DataView {
  const larger = new Uint8Array(bytes.length + 7);
  larger.set(
    Uint8Array.from(bytes, (character) => character.charCodeAt(0)),
    3,
  );
  return new DataView(larger.buffer, 3, bytes.length);
}
