// Bytes as text, in 16 characters for 13 bytes; base64 takes more than 17.
// No character of it is escaped in a string of JSON, or could end a script in HTML.

/** Two characters for each 13 bits, the lowest bits first: 91 x 91 pairs are more than 2 ** 13. */
export function encode(bytes) {
  const digits = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).filter(
    (one) => !'"&<\\'.includes(one),
  );
  let text = "";
  let held = 0;
  let bits = 0;
  const add = () => {
    const value = held & 8191;
    text += digits[Math.floor(value / 91)] + digits[value % 91];
    held >>= 13;
    bits -= 13;
  };
  for (const byte of bytes) {
    held |= byte << bits;
    bits += 8;
    if (bits >= 13) {
      add();
    }
  }
  if (bits > 0) {
    add();
  }
  return text;
}

/** The first `length` bytes of a text. The bundle holds this function's own text, so it uses nothing around it. */
export function decode(text, length) {
  const digits = new Uint8Array(127);
  for (let code = 32, digit = 0; code < 127; code += 1) {
    if (!'"&<\\'.includes(String.fromCharCode(code))) {
      digits[code] = digit;
      digit += 1;
    }
  }
  const bytes = new Uint8Array(length);
  let held = 0;
  let bits = 0;
  let to = 0;
  for (let from = 0; to < length; from += 2) {
    held |= (digits[text.charCodeAt(from)] * 91 + digits[text.charCodeAt(from + 1)]) << bits;
    for (bits += 13; bits >= 8; bits -= 8) {
      // Bits beyond the end, which fill the last pair, go nowhere.
      bytes[to] = held;
      to += 1;
      held >>= 8;
    }
  }
  return bytes;
}
