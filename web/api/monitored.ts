import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** Queries of the dashboard and the reports page. */

const fetchMonitored = async (signal?: AbortSignal) =>
  (await dataOf(api.monitored.kingdoms.$get({}, { init: { signal } }))).kingdoms;
export type Monitored = Awaited<ReturnType<typeof fetchMonitored>>[number];

/** The user's monitored kingdoms: upcoming runs first, then most recently ordered. */
export const monitoredQuery = queryOptions({
  queryKey: ['monitored'],
  queryFn: ({ signal }) => fetchMonitored(signal),
});

const fetchMoves = (signal?: AbortSignal) => dataOf(api.monitored.moves.$get({}, { init: { signal } }));
export type Moves = Awaited<ReturnType<typeof fetchMoves>>;

/** Changes in the user's kingdoms since the last visit. */
export const movesQuery = queryOptions({ queryKey: ['moves'], queryFn: ({ signal }) => fetchMoves(signal) });

/** Records a visit. */
export const noteVisit = () => dataOf(api.account.visit.$post({}));

const fetchNews = async (signal?: AbortSignal) => (await dataOf(api.news.$get({}, { init: { signal } }))).news;

/** Latest news. */
export const newsQuery = queryOptions({ queryKey: ['news'], queryFn: ({ signal }) => fetchNews(signal) });
