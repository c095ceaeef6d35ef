import { desc } from 'drizzle-orm';
import type * as z from 'zod';
import type { newNews } from '../../../domain/news.ts';
import type { Db } from '../../db/open.ts';
import { news } from '../../db/schema.ts';
import { auditStatement } from '../service/audit.ts';

export type News = typeof news.$inferSelect;

const NEWS_SHOWN = 10;

/** Returns the newest news, newest first. */
export const listNews = (db: Db): Promise<News[]> =>
  db.select().from(news).orderBy(desc(news.published_at), desc(news.id)).limit(NEWS_SHOWN);

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

/** Publishes news and its audit entry in one batch. Returns the id. */
export async function publishNews(
  db: Db,
  { title, body }: z.infer<typeof newNews>,
  admin: Acting,
  now = Date.now(),
): Promise<number> {
  const [published] = await db.$client.batch<{ id: number }>([
    db.$client
      .prepare(`INSERT INTO news (title, body, published_at) VALUES (?, ?, ?) RETURNING id`)
      .bind(title, body, now),
    auditStatement(db, entryOf(admin, 'news.published', title), now),
  ]);
  const id = published?.results[0]?.id;
  if (id === undefined) throw new Error('D1 answered news without its id');
  return id;
}

/** Removes news. Returns false if the id is unknown. */
export async function removeNews(db: Db, id: number, admin: Acting, now = Date.now()): Promise<boolean> {
  const row = await db.$client
    .prepare(`DELETE FROM news WHERE id = ? RETURNING title`)
    .bind(id)
    .first<{ title: string }>();
  if (!row) return false;
  await auditStatement(db, entryOf(admin, 'news.removed', row.title), now).run();
  return true;
}
