/** Periods of a standing order. It repeats every `interval` periods. */

export const PERIODS = ['none', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

export const MAX_INTERVAL = 1000;
