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

const fetchNews = async (signal?: AbortSignal) => (await dataOf(api.news.$get({}, { init: { signal } }))).news;
export type News = Awaited<ReturnType<typeof fetchNews>>[number];

/** The newest news. */
export const newsQuery = queryOptions({ queryKey: ['news'], queryFn: ({ signal }) => fetchNews(signal) });
