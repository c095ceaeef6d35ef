import { type GameId, isGameId } from '../../../../domain/games/game-names.ts';
import type { LibraryFilter } from '../../../api/scans.ts';

/** Search parameters of the library: filters and the chosen scans. */
export interface ScansSearch {
  game?: GameId | undefined;
  of?: number | undefined;
  tag?: string | undefined;
  q?: string | undefined;
  origin?: 'bought' | 'imported' | undefined;
  /** Comma-separated scan ids. */
  from?: string | undefined;
  to?: string | undefined;
  /** Comma-separated ids of fights to add up. */
  fights?: string | undefined;
}

const text = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;

/** Parses search parameters and ignores invalid ones. */
export function scansSearch(search: Record<string, unknown>): ScansSearch {
  const kingdom = Number(search.of);
  return {
    game: isGameId(String(search.game)) ? (search.game as GameId) : undefined,
    of: Number.isInteger(kingdom) && kingdom > 0 ? kingdom : undefined,
    tag: text(search.tag),
    q: text(search.q),
    origin: search.origin === 'bought' || search.origin === 'imported' ? search.origin : undefined,
    from: text(search.from),
    to: text(search.to),
    fights: text(search.fights),
  };
}

export const filterOf = ({ game, of, tag, q, origin }: ScansSearch): LibraryFilter => ({
  game,
  kingdom: of,
  tag,
  search: q,
  origin,
});

/** Parses comma-separated ids. */
export const idsIn = (written: string | undefined): string[] => (written ?? '').split(',').filter(Boolean);

/** Adds an id to a comma-separated list, or removes it. */
export function toggled(written: string | undefined, id: string): string | undefined {
  const ids = idsIn(written);
  const next = ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];
  return next.length > 0 ? next.join() : undefined;
}
