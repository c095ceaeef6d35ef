import { queryOptions } from '@tanstack/react-query';
import type { GameId } from '../../domain/games/game-names.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** Removal of players from public pages. */

/** Requests removal, or returns the existing request. */
export const askRemoval = (form: { game: GameId; governor_id: number; note: string }) =>
  dataOf(api.removals.$post({ json: form }));
export type Asked = Awaited<ReturnType<typeof askRemoval>>;

const fetchRemovals = async (open: boolean, signal?: AbortSignal) =>
  (await dataOf(api.admin.removals.$get({ query: { open: open ? 'true' : 'false' } }, { init: { signal } }))).removals;
export type Removal = Awaited<ReturnType<typeof fetchRemovals>>[number];

/** Requests, newest first: only open ones, or all. */
export const removalsQuery = (open: boolean) =>
  queryOptions({ queryKey: ['admin', 'removals', { open }], queryFn: ({ signal }) => fetchRemovals(open, signal) });

export const decideRemoval = (id: number, decision: 'accepted' | 'refused') =>
  dataOf(api.admin.removals[':id'].$post({ param: { id: String(id) }, json: { decision } }));
