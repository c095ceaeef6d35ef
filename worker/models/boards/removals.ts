import { and, desc, eq, lt } from 'drizzle-orm';
import { REMOVAL_DAYS, REMOVALS_PER_PAGE } from '../../../domain/boards/removal.ts';
import { DAY_MS } from '../../../domain/days.ts';
import { GAME_IDS, type GameId } from '../../../domain/games/games.ts';
import { batchDirectories } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { removals } from '../../db/schema.ts';
import { brokeConstraint } from '../../errors.ts';
import { governorName } from '../kingdoms/governors.ts';
import { auditIfChanged } from '../service/audit.ts';

type Removal = typeof removals.$inferSelect;

const THE_ONE = `SELECT * FROM removals WHERE game = ?1 AND governor_id = ?2 AND state <> 'refused'`;

/** Most open requests at a time. Each lasts 90 days, and every scan is searched for its code. */
export const MAX_OPEN_REMOVALS = 2000;

/**
 * Stores a request for a known governor, or returns the one that there is. `code` is used if the request is new. 'unknown':
 * no scan has seen the governor. 'full': there are as many open requests as there may be.
 */
export async function askRemoval(
  db: Db,
  { game, governor_id, note }: Pick<Removal, 'game' | 'governor_id' | 'note'>,
  code: string,
  now: number,
): Promise<Removal | 'unknown' | 'full'> {
  const known = await governorName(db, game, governor_id);
  const [, kept] = await db.$client.batch<Removal>([
    db.$client
      .prepare(
        `INSERT INTO removals (game, governor_id, name, code, note, created_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE ?3 IS NOT NULL
           AND (SELECT count(*) FROM removals WHERE state = 'open') < ?7
         ON CONFLICT DO NOTHING`,
      )
      .bind(game, governor_id, known?.name ?? null, code, note, now, MAX_OPEN_REMOVALS),
    db.$client.prepare(THE_ONE).bind(game, governor_id),
  ]);
  return kept?.results[0] ?? (known ? 'full' : 'unknown');
}

/** Accepts open requests whose code a later scan has read in the governor's name. Returns how many. */
export async function acceptProven(db: Db, now: number): Promise<number> {
  const { results: open } = await db.$client
    .prepare(`SELECT id, game, governor_id, code, created_at FROM removals WHERE state = 'open'`)
    .all<Pick<Removal, 'id' | 'game' | 'governor_id' | 'code' | 'created_at'>>();
  const sql = `SELECT one.value ->> 0 AS id FROM json_each(?2) one
    CROSS JOIN governors ON game = ?1 AND governor_id = one.value ->> 1
      AND captured_at >= one.value ->> 2 AND instr(upper(name), one.value ->> 3) > 0`;
  const answers = await batchDirectories<{ id: number }>(
    db,
    [...Map.groupBy(open, ({ game }) => game)].map(([game, its]) => ({
      ...{ game, sql },
      values: [game, JSON.stringify(its.map((one) => [one.id, one.governor_id, one.created_at, one.code]))],
    })),
  );
  const ids = new Set(answers.flatMap(({ results }) => results.map(({ id }) => id)));
  const proven = open.filter(({ id }) => ids.has(id));
  for (const removal of proven)
    await decide(
      db,
      removal,
      { state: 'accepted', by: 'code', from: ['open'] },
      { userId: null, actor: 'system' },
      now,
    );
  return proven.length;
}

interface Decision {
  state: 'accepted' | 'refused';
  by: string;
  /** States from which the decision leads. */
  from: readonly Removal['state'][];
}

async function decide(
  db: Db,
  { id, game, governor_id }: Pick<Removal, 'id' | 'game' | 'governor_id'>,
  { state, by, from }: Decision,
  acting: { userId: string | null; actor: string; address?: string },
  now: number,
): Promise<boolean> {
  const marks = from.map(() => '?').join(', ');
  const [changed] = await db.$client.batch([
    db.$client
      .prepare(`UPDATE removals SET state = ?, decided_at = ?, decided_by = ? WHERE id = ? AND state IN (${marks})`)
      .bind(state, now, by, id, ...from),
    auditIfChanged(
      db,
      {
        ...acting,
        action: `removal.${state}`,
        subject: `${game} ${governor_id}`,
        detail: { by: by === 'code' ? by : 'admin' },
      },
      now,
    ),
    // Answers about events are cached by revision, and another decision changes whom they name.
    db.$client.prepare(`UPDATE events SET revision = revision + 1 WHERE game = ? AND changes() > 0`).bind(game),
  ]);
  return (changed?.meta.changes ?? 0) > 0;
}

/** What an admin's decision met. */
type Decided = 'decided' | 'unknown' | 'same' | 'another';

/** Decides a request, also one that was decided before. 'another': the governor has a newer request that counts. */
export async function decideRemoval(
  db: Db,
  id: number,
  state: 'accepted' | 'refused',
  admin: { id: string; address: string },
  now = Date.now(),
): Promise<Decided> {
  const [removal] = await db.select().from(removals).where(eq(removals.id, id));
  if (!removal) return 'unknown';
  const actor = `admin:${admin.id}`;
  const from = state === 'accepted' ? (['open', 'refused'] as const) : (['open', 'accepted'] as const);
  try {
    const acting = { userId: admin.id, actor, address: admin.address };
    return (await decide(db, removal, { state, by: actor, from }, acting, now)) ? 'decided' : 'same';
  } catch (error) {
    if (brokeConstraint(error, 'removals.game, removals.governor_id')) return 'another';
    throw error;
  }
}

/** Returns a page of requests for admins, all or only open ones, newest first. */
export const listRemovals = (db: Db, { open, before }: { open: boolean; before?: number }): Promise<Removal[]> =>
  db
    .select()
    .from(removals)
    .where(and(open ? eq(removals.state, 'open') : undefined, before ? lt(removals.id, before) : undefined))
    .orderBy(desc(removals.id))
    .limit(REMOVALS_PER_PAGE);

/** Returns the ids of the removed governors of each game, in ascending order. */
export async function removedGovernors(db: Db): Promise<Record<GameId, number[]>> {
  const rows = await db
    .select({ game: removals.game, governor_id: removals.governor_id })
    .from(removals)
    .where(eq(removals.state, 'accepted'))
    .orderBy(removals.governor_id);
  return Object.fromEntries(
    GAME_IDS.map((game) => [game, rows.filter((row) => row.game === game).map(({ governor_id }) => governor_id)]),
  ) as Record<GameId, number[]>;
}

/** Deletes requests that nobody proved and refused ones, after their time. Accepted ones stay as long as they apply. */
export async function dropOldRemovals(db: Db, now: number): Promise<void> {
  await db.$client
    .prepare(`DELETE FROM removals WHERE state IN ('open', 'refused') AND created_at < ?`)
    .bind(now - REMOVAL_DAYS * DAY_MS)
    .run();
}
