/** Days are 'YYYY-MM-DD' in UTC, the games' own clock: they compare and sort as text. */
export type Day = string;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The day of a moment (epoch milliseconds). */
export const dayOf = (time: number): Day => new Date(time).toISOString().slice(0, 10);

/** True of a day that a calendar has. */
export const isDay = (day: string): boolean => day.length === 10 && new Date(day).toJSON()?.startsWith(day) === true;

/** The day that an address names; undefined where it is none. */
export const dayIn = (value: unknown): Day | undefined =>
  typeof value === 'string' && isDay(value) ? value : undefined;

/** The first millisecond of a day. */
export const dayStart = (day: Day): number => Date.parse(`${day}T00:00:00Z`);

/** The day `count` days later, or earlier where it is negative. */
export const addDays = (day: Day, count: number): Day => dayOf(dayStart(day) + count * DAY_MS);
