import type { DifferenceFilter } from './difference-rows.ts';

/** Search parameters of a difference table; defaults are omitted. */
export interface DifferenceSearch extends DifferenceFilter {
  sort?: string | undefined;
  ascending?: true | undefined;
  /** Page number, from 1. */
  page?: number | undefined;
  size?: number | undefined;
  /** The user's own weights, such as 'killcount_t4:10,killcount_t5:20'. */
  weights?: string | undefined;
  /** The governor whose score explanation is open. */
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

/** Parses search parameters and ignores invalid ones. */
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
