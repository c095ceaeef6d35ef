import { queryOptions } from '@tanstack/react-query';
import type { KingdomGoals } from '../../domain/compare/contract.ts';
import type { GameId } from '../../domain/games/game-names.ts';
import { apiBase, dataOf } from './client.ts';
import { api } from './typed.ts';

/** URL of a kingdom's roster as csv. */
export const rosterFile = (game: GameId, kingdom: string): string =>
  `${apiBase()}/v1/rosters/${game}/${kingdom}/download`;

const fetchRoster = (game: GameId, kingdom: string, signal?: AbortSignal) =>
  dataOf(api.rosters[':game'][':kingdom'].$get({ param: { game, kingdom } }, { init: { signal } }));
export type Roster = Awaited<ReturnType<typeof fetchRoster>>;

/** A kingdom's roster: farms and their mains, governors who left, and exempt ones. */
export const rosterQuery = (game: GameId, kingdom: string) =>
  queryOptions({
    queryKey: ['roster', game, kingdom],
    queryFn: ({ signal }) => fetchRoster(game, kingdom, signal),
    staleTime: 0,
  });

/** The user's own goals of a kingdom. */
export const goalsQuery = (game: GameId, kingdom: string) =>
  queryOptions({
    queryKey: ['kingdom-goals', game, kingdom],
    queryFn: ({ signal }) =>
      dataOf(api.rosters[':game'][':kingdom'].goals.$get({ param: { game, kingdom } }, { init: { signal } })),
  });

export const saveGoals = (game: GameId, kingdom: string, goals: KingdomGoals) =>
  dataOf(api.rosters[':game'][':kingdom'].goals.$put({ param: { game, kingdom }, json: goals }));

/** The latest edits of a kingdom's roster. */
export const rosterHistoryQuery = (game: GameId, kingdom: string) =>
  queryOptions({
    queryKey: ['roster', game, kingdom, 'history'],
    queryFn: ({ signal }) =>
      dataOf(api.rosters[':game'][':kingdom'].history.$get({ param: { game, kingdom } }, { init: { signal } })),
    staleTime: 0,
  });

/** Replaces the version of a kingdom's roster that was edited: by rows, or by csv. */
export function saveRoster(game: GameId, kingdom: string, seen: Roster, edited: Roster['entries'] | string) {
  const call = { param: { game, kingdom }, query: { seen: String(seen.updated_at ?? 0) } };
  const roster = api.rosters[':game'][':kingdom'];
  return typeof edited === 'string'
    ? dataOf(roster.import.$post(call, { init: { body: edited, headers: { 'content-type': 'text/csv' } } }))
    : dataOf(roster.$put({ ...call, json: edited }));
}
