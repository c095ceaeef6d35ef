/** Characters that file systems refuse, and those that hide or reverse the end of a name. */
const REFUSED = /[/\\:*?"<>|\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;
/** File systems allow 255 bytes in a name, and a character takes at most 4. */
const MAX_CHARACTERS = 55;

/** Turns a user's text, in any script, into a file name without extension. */
function asFileName(text: string): string {
  const name = [...text.normalize('NFC').replace(REFUSED, ' ').replace(/\s+/g, ' ')].slice(0, MAX_CHARACTERS).join('');
  return name.replace(/^[ .]+/, '').replace(/(?<![ .])[ .]+$/, '') || 'file';
}

/** Encodes what RFC 8187 (section 3.2.1) requires beyond `encodeURIComponent`. */
const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * Returns the `Content-Disposition` of a file (RFC 6266). Non-ASCII names are sent twice: as an ASCII fallback and
 * encoded by RFC 8187. `%` counts as non-ASCII, because some clients decode it.
 */
export function attachment(text: string, ending: string): string {
  const name = `${asFileName(text)}.${ending}`;
  const plain = name.replace(/[^\x20-\x7e]|%/gu, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, percent);
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}
