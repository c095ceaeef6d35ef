/** Returns the percentage of a goal that was reached, which may exceed 100; null if either is unknown. */
export const percentOf = (reached: number | null, goal: number | null): number | null =>
  reached === null || goal === null || goal <= 0 ? null : (100 * reached) / goal;

/** Rounds a percentage to a tenth, as it is shown. One below 100 stays below, so that a missed goal reads as missed. */
export const tenthOf = (percent: number): number => {
  const tenth = (Math.sign(percent) * Math.round(Math.abs(percent) * 10)) / 10;
  return percent < 100 ? Math.min(tenth, 99.9) : tenth;
};
