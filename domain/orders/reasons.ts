import { message, words } from '../language/text.ts';

/**
 * Why an item or a part of it has no rows. Stored in English, so that each reader gets their own language. Bots write
 * other reasons, which stay as they are.
 */

export const NOBODY_FOUND = message('Bots found nobody there, so the price is back in the balance that paid it.');
/** How it begins, also as the release before wrote it: 'Bots found no governor in kingdom 1042, so …'. */
export const NOBODY_FOUND_START = 'Bots found no';
/** Of a subtask whose rows were all rejected. */
export const IMPLAUSIBLE_ROWS = message('The rows that bots brought cannot be right, so they were not delivered.');
export const UNCONFIRMED = message('A bot found nobody there, and no second bot has confirmed it.');
export const UNREACHABLE = message('No bot that was online in the last hour can scan it.');
export const NONE_CAME_BACK = message('Five bots tried and none came back with rows.');
export const ENDED_EARLY = message('Support ended this scan with the rows that had arrived.');
export const UNREADABLE = message('These rows could not be read any more.');

/** Why an item was given up. Follows its earlier reason. */
export const NOT_REPAIRED = message('Nobody repaired it for a day, so the price is back in the balance that paid it.');
export const NOT_DELIVERED = message(
  'It was not delivered within 24 hours, so the price is back in the balance that paid it.',
);

/** Returns a stored reason in the current language. */
export function reasonText(reason: string): string {
  if (reason.startsWith(NOBODY_FOUND_START)) return words(NOBODY_FOUND);
  const last = [NOT_REPAIRED, NOT_DELIVERED].find((each) => reason.endsWith(` ${each}`));
  if (last === undefined) return words(reason);
  return `${words(reason.slice(0, -last.length - 1))} ${words(last)}`;
}
