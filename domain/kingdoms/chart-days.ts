/**
 * Numbers of days that charts of a governor or kingdom can show. More than the first requires the kingdom's history
 * product.
 */
export const CHART_DAYS = ['7', '30', '90'] as const;
export type ChartDays = (typeof CHART_DAYS)[number];

/** Days visible to everybody, and to buyers of the history. */
export const FREE_DAYS = Number(CHART_DAYS[0]);
export const BOUGHT_DAYS = Number(CHART_DAYS[2]);
