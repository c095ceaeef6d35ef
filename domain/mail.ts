/** Lines of a mail inside the games, as both ends of the service write them. */

/** Characters that such a mail holds. */
export const MAIL_LIMIT = 2000;

/** What would break a line, or turn the rest of it around. Everything else of a name stays as it is. */
const UNPRINTED = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\u200f\u061c]/u;

/** A text that stays in its line. */
export const oneLine = (text: string): string => text.replace(UNPRINTED, ' ');

/**
 * A name in a line of figures: one from right to left stands between marks that keep the rest of the line in its
 * order.
 */
export function nameInLine(name: string): string {
  const line = oneLine(name);
  return RIGHT_TO_LEFT.test(line) ? `\u2068${line}\u2069` : line;
}
