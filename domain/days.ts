/** Days are 'YYYY-MM-DD' in UTC, the games' own clock. They compare and sort as text. */
export type Day = string;

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Returns the day of a time (epoch milliseconds). */
export const dayOf = (time: number): Day => new Date(time).toISOString().slice(0, 10);

/** Formats a time to the minute, the same in every language: 2026-07-14 03:32 UTC. */
export const minuteText = (time: number): string =>
  `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Returns whether a text is a day of the calendar. */
export const isDay = (day: string): boolean => day.length === 10 && new Date(day).toJSON()?.startsWith(day) === true;

/** Returns the day in an address's parameter; undefined if invalid. */
export const dayIn = (value: unknown): Day | undefined =>
  typeof value === 'string' && isDay(value) ? value : undefined;

/** Returns the first millisecond of a day. */
export const dayStart = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** Returns the day `count` days later, or earlier if negative. */
export const addDays = (day: Day, count: number): Day => dayOf(dayStart(day) + count * DAY_MS);
