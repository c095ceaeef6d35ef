/** Short addresses of links: the random bytes of a link's id, which nobody guesses and the row alone makes work. */

const CODE = /^[\w-]{22}$/;

/** `/s/` and 22 letters for a link's id, a UUID. */
export const shortPath = (id: string): string =>
  `/s/${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}`;

/** The id of the link that a short address names, or null where it can be nobody's. */
export function idOfCode(code: string): string | null {
  if (!CODE.test(code)) return null;
  const hex = Buffer.from(code, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
