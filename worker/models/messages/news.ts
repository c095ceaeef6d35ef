import { desc, lte } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { news } from '../../db/schema.ts';
import { auditIfChanged, auditStatement } from '../service/audit.ts';

type News = typeof news.$inferSelect;

const NEWS_SHOWN = 10;
const NEWS_EDITED = 100;

const NEWEST = [desc(news.published_at), desc(news.id)];

/** Returns the newest news that are published, newest first. */
export const listNews = (db: Db, now = Date.now()): Promise<Omit<News, 'version'>[]> =>
  db
    .select({ id: news.id, title: news.title, body: news.body, published_at: news.published_at })
    .from(news)
    .where(lte(news.published_at, now))
    .orderBy(...NEWEST)
    .limit(NEWS_SHOWN);

/** Returns the newest news, newest first, also those that are published later. */
export const listAllNews = (db: Db): Promise<News[]> =>
  db
    .select()
    .from(news)
    .orderBy(...NEWEST)
    .limit(NEWS_EDITED);

interface Acting {
  id: string;
  address: string;
}

const entryOf = (admin: Acting, action: string, subject: string) => ({
  userId: admin.id,
  actor: `admin:${admin.id}`,
  action,
  subject,
  address: admin.address,
});

interface NewsText {
  title: string;
  body: string;
  /** Null for now. */
  published_at: number | null;
}

/** Publishes news, at once or later, and its audit entry in one batch. Returns the id. */
export async function publishNews(
  db: Db,
  { title, body, published_at }: NewsText,
  admin: Acting,
  now = Date.now(),
): Promise<number> {
  const [published] = await db.$client.batch<{ id: number }>([
    db.$client
      .prepare(`INSERT INTO news (title, body, published_at) VALUES (?, ?, ?) RETURNING id`)
      .bind(title, body, published_at ?? now),
    auditStatement(db, entryOf(admin, 'news.published', title), now),
  ]);
  const id = published?.results[0]?.id;
  if (id === undefined) throw new Error('D1 answered news without its id');
  return id;
}

const newsOf = (db: Db, id: number): Promise<News | null> =>
  db.$client.prepare('SELECT * FROM news WHERE id = ?').bind(id).first<News>();

/**
 * Changes news of the version `version`. Without a time, published news keep theirs and others are published now.
 * Returns the news as they are if they have another version, and null if they do not exist.
 */
export async function editNews(
  db: Db,
  { id, version, title, body, published_at }: NewsText & { id: number; version: number },
  admin: Acting,
  now = Date.now(),
): Promise<'edited' | News | null> {
  const before = await newsOf(db, id);
  if (!before) return null;
  const after = { title, body, published_at: published_at ?? Math.min(before.published_at, now) };
  const [edited] = await db.$client.batch([
    db.$client
      .prepare(
        `UPDATE news SET title = ?, body = ?, published_at = ?, version = version + 1 WHERE id = ? AND version = ?`,
      )
      .bind(title, body, after.published_at, id, version),
    auditIfChanged(db, { ...entryOf(admin, 'news.edited', title), detail: { before, after } }, now),
  ]);
  return (edited?.meta.changes ?? 0) > 0 ? 'edited' : newsOf(db, id);
}

/** Removes news. Returns false if the id is unknown. */
export async function removeNews(db: Db, id: number, admin: Acting, now = Date.now()): Promise<boolean> {
  const before = await newsOf(db, id);
  if (!before) return false;
  const [removed] = await db.$client.batch([
    db.$client.prepare('DELETE FROM news WHERE id = ?').bind(id),
    auditIfChanged(db, entryOf(admin, 'news.removed', before.title), now),
  ]);
  return (removed?.meta.changes ?? 0) > 0;
}
