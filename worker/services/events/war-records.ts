import type * as z from 'zod';
import type { governorWars } from '../../../domain/events/room-answers.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { answerOf, OtherRevision } from '../../gateways/dashboard-answers.ts';
import { forEachAtOnce } from '../../isolate/at-once.ts';
import { shownHeads } from '../../models/events/event-snapshots.ts';
import type { WarRecord } from './answer-room.ts';
import { keepHead } from './find-event.ts';
import { metaOf, snapshotRange } from './public-event.ts';

type GovernorWars = z.infer<typeof governorWars>;

/** Maximum number of events searched, the newest of both games. */
const MOST_SEARCHED = 40;

/** Returns what a governor did in each public event from its first to its latest snapshot, newest event first. */
export async function warsOf(env: Env, db: Db, id: number, before: () => Promise<void>): Promise<GovernorWars> {
  const now = Date.now();
  const heads = await shownHeads(db, null, MOST_SEARCHED);
  for (const head of heads) keepHead(head, now);
  const metas = heads.map((head) => metaOf(head, now));
  const found: (WarRecord | null)[] = [];
  await forEachAtOnce(metas, async (meta, index) => {
    const range = snapshotRange(meta, {});
    const question = range && { ...range, revision: meta.revision, kind: 'record' as const, governor_id: id };
    const bytes = question && (await answerOf(env, meta.dashboard_id, question, before).catch(unlessChanged));
    found[index] = bytes && (JSON.parse(new TextDecoder().decode(bytes)) as WarRecord | null);
  });
  const wars = metas.flatMap((meta, index): GovernorWars['wars'] => {
    const [record, range] = [found[index], snapshotRange(meta, {})];
    if (!record || !range) return [];
    const { dashboard_id, game, kvk_id, name, state } = meta;
    return [{ ...record, dashboard_id, game, kvk_id, event: name, state, range }];
  });
  return { governor_id: id, wars, more: heads.length === MOST_SEARCHED };
}

/** An event that changes meanwhile is missing until the next call. */
function unlessChanged(error: unknown): null {
  if (error instanceof OtherRevision) return null;
  throw error;
}
