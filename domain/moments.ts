import { isDay } from './days.ts';

const WRITTEN =
  /^(\d{4}-\d\d-\d\d)(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/**
 * Epoch milliseconds of a day or a time as ISO writes it, in UTC where it names no zone. Null for anything else, and for
 * 30 February: `Date.parse` alone takes that for 2 March, and guesses which of two numbers is the month.
 */
export function momentOf(text: string): number | null {
  const [, day, zone] = WRITTEN.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return null;
  return Date.parse(zone || text === day ? text : `${text}Z`);
}
