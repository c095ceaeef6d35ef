import type * as z from 'zod';
import { changedMeanwhile } from '../../../domain/meanwhile.ts';
import type { newsEdit } from '../../../domain/news.ts';
import type { Db } from '../../db/open.ts';
import { notFound, Refusal } from '../../errors.ts';
import { editNews } from '../../models/messages/news.ts';

const timeOf = (at: number): string => new Date(at).toISOString();

/** Changes news. @throws Refusal not_found, or conflict, with the difference, if somebody changed it meanwhile. */
export async function changeNews(
  db: Db,
  edit: z.output<typeof newsEdit> & { id: number },
  admin: { id: string; address: string },
): Promise<void> {
  const outcome = await editNews(db, edit, admin);
  if (outcome === 'edited') return;
  if (!outcome) throw notFound('news');
  // Without a time, the stored one stays.
  const mine = { ...edit, published_at: timeOf(edit.published_at ?? outcome.published_at) };
  const theirs = { ...outcome, published_at: timeOf(outcome.published_at) };
  throw new Refusal('conflict', changedMeanwhile(mine, theirs, ['title', 'body', 'published_at']));
}
