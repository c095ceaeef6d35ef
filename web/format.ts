import { date, weekday, withHour } from '../domain/figures.ts';
import { centsOf, money } from '../domain/money/money.ts';

export {
  capital,
  compact,
  counted,
  countedOf,
  date,
  dateTime,
  exact,
  inSentence,
  inUnit,
  nameOr,
  numbered,
  percentage,
  shortened,
  titleName,
  weekdayTime,
} from '../domain/figures.ts';
export { money } from '../domain/money/money.ts';

/** Formats figures, money and times. Times are in UTC, or in the reader's time zone with its offset. */

/** Formats dollars, as the API has them: $1,234.50. */
export const usd = (dollars: number): string => money(centsOf(dollars) ?? 0);

/**
 * Returns the reader's local time as a timestamp to format as UTC, and the offset ('UTC', 'UTC+1', 'UTC−3:30'). Players
 * plan across time zones, so the offset is more useful than a zone name; looking up names would also take a phone a
 * tenth of a second.
 */
function ownClock(epochMs: number): { shown: number; zone: string } {
  const ahead = -new Date(epochMs).getTimezoneOffset();
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
  const apart = `${ahead < 0 ? '−' : '+'}${hours}${minutes > 0 ? `:${String(minutes).padStart(2, '0')}` : ''}`;
  return { shown: epochMs + ahead * 60_000, zone: ahead === 0 ? 'UTC' : `UTC${apart}` };
}

/** Formats a time in the reader's time zone: '21 Nov 2026, 19:00 UTC+1'. */
export function ownTime(epochMs: number): string {
  const { shown, zone } = ownClock(epochMs);
  return withHour(date(shown), shown, zone);
}

/** Formats a time of the coming days in the reader's time zone: 'Sat, 21 Nov, 19:00 UTC+1'. */
export function ownMoment(epochMs: number): string {
  const { shown, zone } = ownClock(epochMs);
  return withHour(weekday(shown), shown, zone);
}
