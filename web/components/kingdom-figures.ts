import { exact, inUnit } from '../format.ts';

/** Billions, and trillions where it is that many: what kingdoms add up to. */
export const large = (value: number): string => inUnit(value, value >= 999.995e9 ? 'T' : 'B');

/** How a kingdom's metrics are written (domain/scans/kingdom-metrics.ts). */
export const WRITTEN = { exact, millions: (value: number) => inUnit(value, 'M'), billions: large };
