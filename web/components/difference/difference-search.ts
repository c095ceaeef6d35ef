import type { DifferenceFilter } from './difference-rows.ts';

/** What the address says of a table of governors side by side; defaults are left out. */
export interface DifferenceSearch extends DifferenceFilter {
  sort?: string | undefined;
  ascending?: true | undefined;
  /** From 1. */
  page?: number | undefined;
  size?: number | undefined;
  /** Weights of one's own, as 'killcount_t4:10,killcount_t5:20'. */
  weights?: string | undefined;
  /** The governor whose score is explained. */
  open?: number | undefined;
}

export const PAGE_SIZES = [10, 25, 50, 100] as const;
export const DEFAULT_SIZE = 50;
const WHO = ['joined', 'gone', 'idle', 'doubted', 'below'] as const;

export const whole = (value: unknown, least: number): number | undefined => {
  const number = Number(value);
  return value !== '' && Number.isSafeInteger(number) && number >= least ? number : undefined;
};
export const text = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
export const flag = (value: unknown): true | undefined =>
  value === true || value === 'true' || value === 1 || undefined;

/** Reads an address that anyone may have written: what makes no sense is left out. */
export function differenceSearch(search: Record<string, unknown>): DifferenceSearch {
  const size = Number(search.size);
  return {
    q: text(search.q),
    camp: text(search.camp),
    home: text(search.home),
    alliance: text(search.alliance),
    power: whole(search.power, 1),
    who: WHO.find((known) => known === search.who),
    sort: text(search.sort),
    ascending: flag(search.ascending),
    page: whole(search.page, 2),
    size: PAGE_SIZES.some((known) => known === size) && size !== DEFAULT_SIZE ? size : undefined,
    weights: text(search.weights),
    open: whole(search.open, 1),
  };
}
