import * as z from 'zod';
import { exact } from './figures.ts';

/** Texts by admins: news for the dashboard, and answers to reported issues. */

const MAX_TITLE = 120;
const MAX_TEXT = 5_000;

const text = (most: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(most, `must have at most ${exact(most)} characters`);

/** Body of POST /v1/admin/news. */
export const newNews = z.object({ title: text(MAX_TITLE), body: text(MAX_TEXT) });

/** Body of POST /v1/admin/reports/{id}/answer. */
export const reportAnswer = z.object({ text: text(MAX_TEXT) });

/** Answer of GET /v1/news, newest first; `published_at` in epoch milliseconds. */
export const newsList = z.object({
  news: z.array(z.object({ id: z.int(), title: z.string(), body: z.string(), published_at: z.number() })),
});

/** Answer of POST /v1/admin/news. */
export const newsPublished = z.object({ id: z.int() });
