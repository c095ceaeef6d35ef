/** Characters that a file system refuses, and those that hide or reverse the end of a name. */
const REFUSED = /[/\\:*?"<>|\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/gu;
/** File systems keep 255 bytes of a name, and a character takes 4 at most. */
const MAX_CHARACTERS = 55;

/** Returns a user's text as a file name without its ending, in whatever script it is. */
function asFileName(text: string): string {
  const name = [...text.normalize('NFC').replace(REFUSED, ' ').replace(/\s+/g, ' ')].slice(0, MAX_CHARACTERS).join('');
  return name.replace(/^[ .]+/, '').replace(/(?<![ .])[ .]+$/, '') || 'file';
}

/** What RFC 8187 (section 3.2.1) has encoded beyond what `encodeURIComponent` encodes. */
const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * Returns the `Content-Disposition` of a file (RFC 6266). Names beyond ASCII come encoded by RFC 8187, after a name for
 * clients that do not read that. `%` counts as beyond, because some clients decode it.
 */
export function attachment(text: string, ending: string): string {
  const name = `${asFileName(text)}.${ending}`;
  const plain = name.replace(/[^\x20-\x7e]|%/gu, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, percent);
  return `attachment; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}
