/** Days that the charts of a governor or kingdom can show; past the first, the kingdom's history has to be bought. */
export const CHART_DAYS = ['7', '30', '90'] as const;
export type ChartDays = (typeof CHART_DAYS)[number];

/** What everybody may see, and what who bought the history may. */
export const FREE_DAYS = Number(CHART_DAYS[0]);
export const BOUGHT_DAYS = Number(CHART_DAYS[2]);
