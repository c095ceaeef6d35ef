import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** What the dashboard and the reports page show. */

const fetchMonitored = async (signal?: AbortSignal) =>
  (await dataOf(api.monitored.kingdoms.$get({}, { init: { signal } }))).kingdoms;
export type Monitored = Awaited<ReturnType<typeof fetchMonitored>>[number];

/** The user's monitored kingdoms: next runs first, then the latest ordered. */
export const monitoredQuery = queryOptions({
  queryKey: ['monitored'],
  queryFn: ({ signal }) => fetchMonitored(signal),
});

const fetchMoves = (signal?: AbortSignal) => dataOf(api.monitored.moves.$get({}, { init: { signal } }));
export type Moves = Awaited<ReturnType<typeof fetchMoves>>;

/** What moved in the user's kingdoms since his last visit. */
export const movesQuery = queryOptions({ queryKey: ['moves'], queryFn: ({ signal }) => fetchMoves(signal) });

/** Notes that the user is here. */
export const noteVisit = () => dataOf(api.account.visit.$post({}));

const fetchNews = async (signal?: AbortSignal) => (await dataOf(api.news.$get({}, { init: { signal } }))).news;
export type News = Awaited<ReturnType<typeof fetchNews>>[number];

/** The newest news. */
export const newsQuery = queryOptions({ queryKey: ['news'], queryFn: ({ signal }) => fetchNews(signal) });
