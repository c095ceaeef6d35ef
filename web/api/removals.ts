import { queryOptions } from '@tanstack/react-query';
import type { GameId } from '../../domain/games/game-names.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** Removal of players from public pages. */

/** Requests removal, or returns the existing request. */
export const askRemoval = (form: { game: GameId; governor_id: number; note: string }) =>
  dataOf(api.removals.$post({ json: form }));
export type Asked = Awaited<ReturnType<typeof askRemoval>>;

const fetchRemovals = (open: boolean, before: number | undefined, signal?: AbortSignal) =>
  dataOf(
    api.admin.removals.$get(
      { query: { open: open ? 'true' : 'false', before: before?.toString() } },
      { init: { signal } },
    ),
  );
export type Removal = Awaited<ReturnType<typeof fetchRemovals>>['removals'][number];

/** A page of requests, newest first: only open ones, or all. */
export const removalsQuery = (open: boolean, before?: number) =>
  queryOptions({
    queryKey: ['admin', 'removals', { open, before }],
    queryFn: ({ signal }) => fetchRemovals(open, before, signal),
  });

export const decideRemoval = (id: number, decision: 'accepted' | 'refused') =>
  dataOf(api.admin.removals[':id'].$post({ param: { id: String(id) }, json: { decision } }));
