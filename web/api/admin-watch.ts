import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { locale } from '../../domain/language/current.ts';
import { fileIn } from '../../domain/language/locales.ts';
import { apiBase, dataOf } from './client.ts';
import { api } from './typed.ts';

/** Alerts and the activity log. */

const fetchAlerts = (signal?: AbortSignal) => dataOf(api.admin.alerts.$get({}, { init: { signal } }));
export type Alerts = Awaited<ReturnType<typeof fetchAlerts>>;

/** Polling interval of the alerts, in ms. */
const ALERTS_REFRESH_MS = 30_000;

export const alertsQuery = queryOptions({
  queryKey: ['admin', 'alerts'],
  queryFn: ({ signal }) => fetchAlerts(signal),
  refetchInterval: ALERTS_REFRESH_MS,
});

export const changeLimits = (json: Alerts['limits'] & { version: number; reason: string }) =>
  dataOf(api.admin.alerts.$put({ json }));

export interface ActivityFilter {
  who?: 'admins' | 'users' | 'system' | 'all' | undefined;
  user?: string | undefined;
  action?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

const fetchActivity = (filter: ActivityFilter, before: number | null, signal?: AbortSignal) =>
  dataOf(api.admin.activity.$get({ query: { ...filter, before: before?.toString() } }, { init: { signal } }));
export type Activity = Awaited<ReturnType<typeof fetchActivity>>['entries'][number];

export const activityQuery = (filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'activity', filter],
    queryFn: ({ pageParam, signal }) => fetchActivity(filter, pageParam, signal),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.next,
  });

/** Returns the address of the log as a file. */
export const activityFile = (filter: ActivityFilter): string => {
  const set = Object.entries(filter).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return fileIn(locale(), `${apiBase()}/v1/admin/activity/download?${new URLSearchParams(set)}`);
};
