/**
 * Short URLs of links. The code is the id's random bytes; it is unguessable and works only while the link's row exists.
 */

const CODE = /^[\w-]{22}$/;

/** Returns `/s/` and 22 characters for a link's id (a UUID). */
export const shortPath = (id: string): string =>
  `/s/${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}`;

/** Returns the link id of a short code, or null if the code is malformed. */
export function idOfCode(code: string): string | null {
  if (!CODE.test(code)) return null;
  const hex = Buffer.from(code, 'base64url').toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
