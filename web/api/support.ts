import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** News and answers to customers. */

export const publishNews = (form: { title: string; body: string }) => dataOf(api.admin.news.$post({ json: form }));

export const removeNews = (id: number) => dataOf(api.admin.news[':id'].$delete({ param: { id: String(id) } }));

const fetchReports = async (open: boolean, signal?: AbortSignal) =>
  (await dataOf(api.admin.reports.$get({ query: { open: open ? 'true' : 'false' } }, { init: { signal } }))).reports;
export type Report = Awaited<ReturnType<typeof fetchReports>>[number];

/** Reported issues, newest first: only open ones, or all. */
export const reportsQuery = (open: boolean) =>
  queryOptions({ queryKey: ['admin', 'reports', { open }], queryFn: ({ signal }) => fetchReports(open, signal) });

/** @throws ApiError 404 if the report was already answered. */
export const answerReport = (id: number, text: string) =>
  dataOf(api.admin.reports[':id'].answer.$post({ param: { id: String(id) }, json: { text } }));
