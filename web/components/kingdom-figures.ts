import { exact, inUnit } from '../format.ts';

/** Formats kingdom totals in billions, or trillions from 1T (specification, section 9). */
export const large = (value: number): string => inUnit(value, value >= 999.995e9 ? 'T' : 'B');

/** Formatters of kingdom metrics (domain/scans/kingdom-metrics.ts). */
export const WRITTEN = { exact, millions: (value: number) => inUnit(value, 'M'), billions: large };
