import { queryOptions } from '@tanstack/react-query';
import type { GameId } from '../../domain/games/games.ts';
import type { ChartDays } from '../../domain/kingdoms/chart-days.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

const fetchGovernor = (id: string, game: GameId, days: ChartDays, signal?: AbortSignal) =>
  dataOf(api.governors[':id'].$get({ param: { id }, query: { game, days } }, { init: { signal } }));

export type Governor = Awaited<ReturnType<typeof fetchGovernor>>;

/** Data of a governor's page. */
export const governorQuery = (id: string, game: GameId, days: ChartDays) =>
  queryOptions({
    queryKey: ['governor', game, id, days],
    queryFn: ({ signal }) => fetchGovernor(id, game, days, signal),
    staleTime: 60_000,
  });

/** Known governors with ids near an unknown one. */
export const nearGovernorsQuery = (id: string) =>
  queryOptions({
    queryKey: ['governors', 'near', id],
    queryFn: ({ signal }) => dataOf(api.governors[':id'].nearby.$get({ param: { id } }, { init: { signal } })),
  });

const fetchKingdom = (id: string, game: GameId, days: ChartDays, signal?: AbortSignal) =>
  dataOf(api.kingdoms[':id'].$get({ param: { id }, query: { game, days } }, { init: { signal } }));

export type Kingdom = Awaited<ReturnType<typeof fetchKingdom>>;

/** Data of a kingdom's page. */
export const kingdomQuery = (id: string, game: GameId, days: ChartDays) =>
  queryOptions({
    queryKey: ['kingdom', game, id, days],
    queryFn: ({ signal }) => fetchKingdom(id, game, days, signal),
    staleTime: 60_000,
  });

/** Scanned kingdoms with numbers near an unscanned one. */
export const nearKingdomsQuery = (id: string) =>
  queryOptions({
    queryKey: ['kingdoms', 'near', id],
    queryFn: ({ signal }) => dataOf(api.kingdoms[':id'].nearby.$get({ param: { id } }, { init: { signal } })),
  });

const fetchAlliance = (kingdom: string, tag: string, game: GameId, signal?: AbortSignal) =>
  dataOf(
    api.alliances[':kingdom'][':tag'].$get(
      { param: { kingdom, tag: encodeURIComponent(tag) }, query: { game } },
      { init: { signal } },
    ),
  );

export type Alliance = Awaited<ReturnType<typeof fetchAlliance>>;

/** Data of an alliance's page. */
export const allianceQuery = (kingdom: string, tag: string, game: GameId) =>
  queryOptions({
    queryKey: ['alliance', game, kingdom, tag],
    queryFn: ({ signal }) => fetchAlliance(kingdom, tag, game, signal),
    staleTime: 60_000,
  });

/** Search results for a text. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: ({ signal }) => dataOf(api.search.$get({ query: { q: text } }, { init: { signal } })),
    staleTime: 60_000,
    enabled: text !== '',
    placeholderData: (before) => before,
  });
