import type * as z from 'zod';
import { changedMeanwhile } from '../../../domain/meanwhile.ts';
import type { newsEdit } from '../../../domain/news.ts';
import type { Db } from '../../db/open.ts';
import { notFound, Refusal } from '../../errors.ts';
import { editNews } from '../../models/messages/news.ts';

/** Changes news. @throws Refusal not_found, or conflict, with the difference, if somebody changed it meanwhile. */
export async function changeNews(
  db: Db,
  edit: z.output<typeof newsEdit> & { id: number },
  admin: { id: string; address: string },
): Promise<void> {
  const outcome = await editNews(db, edit, admin);
  if (outcome === 'edited') return;
  if (!outcome) throw notFound('news');
  throw new Refusal('conflict', changedMeanwhile(edit, outcome, ['title', 'body']));
}
