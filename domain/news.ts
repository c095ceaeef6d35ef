import * as z from 'zod';
import { exact } from './figures.ts';

/** Texts by admins: news for the dashboard, and answers to reported issues. Times are in epoch milliseconds. */

const MAX_TITLE = 120;
const MAX_TEXT = 5_000;

const text = (most: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(most, `must have at most ${exact(most)} characters`);

/** Body of POST /v1/admin/news. */
export const newNews = z.strictObject({
  title: text(MAX_TITLE),
  body: text(MAX_TEXT),
  published_at: z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe('When users see it first; null for at once, or if it is published already.'),
});

/** Body of PUT /v1/admin/news/{id}. */
export const newsEdit = newNews.extend({
  version: z.int().positive().describe('The version that was edited. If it changed meanwhile, nothing happens.'),
});

/** Body of POST /v1/admin/reports/{id}/answer. */
export const reportAnswer = z.object({ text: text(MAX_TEXT) });

const news = z.object({ id: z.int(), title: z.string(), body: z.string(), published_at: z.number() });

/** Answer of GET /v1/news, newest first. */
export const newsList = z.object({ news: z.array(news) });

/** Answer of GET /v1/admin/news, newest first, with what is not published yet. */
export const adminNews = z.object({
  news: z.array(news.extend({ version: z.int().describe('Incremented with every edit.') })),
});

/** Answer of POST /v1/admin/news. */
export const newsPublished = z.object({ id: z.int() });
