import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** News as admins see it. */

const fetchNews = async (signal?: AbortSignal) => (await dataOf(api.admin.news.$get({}, { init: { signal } }))).news;
export type EditedNews = Awaited<ReturnType<typeof fetchNews>>[number];

/** News, newest first, also those that are published later. */
export const adminNewsQuery = queryOptions({
  queryKey: ['admin', 'news'],
  queryFn: ({ signal }) => fetchNews(signal),
});

/** `published_at` null: at once. */
export interface NewsForm {
  title: string;
  body: string;
  published_at: number | null;
}

export const publishNews = (json: NewsForm) => dataOf(api.admin.news.$post({ json }));

export const editNews = (id: number, json: NewsForm & { version: number }) =>
  dataOf(api.admin.news[':id'].$put({ param: { id: String(id) }, json }));

export const removeNews = (id: number, code: string | undefined) =>
  dataOf(api.admin.news[':id'].$delete({ param: { id: String(id) }, json: { code } }));
