/** How often a standing order can run: so many of a period. */

export const PERIODS = ['none', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

export const MAX_INTERVAL = 1000;
