const REPLACEMENT = 0xfffd;

/**
 * Writes a string as UTF-8 from `at` on and returns the end. Lone surrogates become U+FFFD. The caller ensures room for
 * three bytes per UTF-16 unit. Cells are short, so a call of TextEncoder costs more than this loop.
 */
export function writeUtf8(value: string, target: Uint8Array, at: number): number {
  let end = at;
  for (let index = 0; index < value.length; index++) {
    let code = value.charCodeAt(index);
    if (code < 0x80) {
      target[end++] = code;
      continue;
    }
    if (code < 0x800) {
      target[end++] = 0xc0 | (code >> 6);
      target[end++] = 0x80 | (code & 0x3f);
      continue;
    }
    if (code >= 0xd800 && code < 0xe000) {
      const whole = value.codePointAt(index) as number;
      if (whole > 0xffff) {
        index++;
        target[end++] = 0xf0 | (whole >> 18);
        target[end++] = 0x80 | ((whole >> 12) & 0x3f);
        target[end++] = 0x80 | ((whole >> 6) & 0x3f);
        target[end++] = 0x80 | (whole & 0x3f);
        continue;
      }
      code = REPLACEMENT;
    }
    target[end++] = 0xe0 | (code >> 12);
    target[end++] = 0x80 | ((code >> 6) & 0x3f);
    target[end++] = 0x80 | (code & 0x3f);
  }
  return end;
}
