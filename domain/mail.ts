/** Lines of in-game mail, shared by the Worker and the pages. */

/** Maximum length of such a mail, in characters. */
export const MAIL_LIMIT = 2000;

/** Characters that would break a line or reverse its direction. The rest of a name stays as it is. */
const UNPRINTED = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u061c]/u;

/** Replaces line breaks and direction marks by spaces. */
export const oneLine = (text: string): string => text.replace(UNPRINTED, ' ');

/**
 * Prepares a name for a line of figures. A right-to-left name is isolated so that the rest of the line keeps its order.
 */
export function nameInLine(name: string): string {
  const line = oneLine(name);
  return RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line;
}
