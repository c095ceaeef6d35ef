import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import { DAY_MS } from '../../../domain/days.ts';
import { type Heartbeat, MAX_BOTS } from '../../../domain/fleet/contract.ts';
import { LONGEST_IDLE_MS } from '../../../domain/fleet/idle.ts';
import { hashOf } from '../../configuration/signing.ts';
import type { Db } from '../../db/open.ts';
import { bot_groups, bots, refusals } from '../../db/schema.ts';
import { BOTS } from './reach.ts';

const SECOND_MS = 1000;

/** Creates a bot group with this token. If the group exists, replaces its token. */
export async function createGroup(db: Db, id: string, name: string, token: string, now = Date.now()): Promise<void> {
  await db
    .insert(bot_groups)
    .values({ id, name, token_hash: await hashOf(token), created_at: now })
    .onConflictDoUpdate({ target: bot_groups.id, set: { token_hash: await hashOf(token) } });
}

/** Returns the id of the group with this token, or null. */
export async function groupOfToken(db: Db, token: string): Promise<string | null> {
  const [group] = await db
    .select({ id: bot_groups.id })
    .from(bot_groups)
    .where(and(eq(bot_groups.token_hash, await hashOf(token)), isNull(bot_groups.revoked_at)))
    .limit(1);
  return group?.id ?? null;
}

/**
 * Stores a bot's heartbeat. If its list of kingdoms changed, its earlier refusals are deleted. Each group keeps the
 * `MAX_BOTS` most recently seen bots.
 */
export async function recordHeartbeat(
  db: Db,
  groupId: string,
  beat: Omit<Heartbeat, 'working_on'>,
  address: string,
  now = Date.now(),
): Promise<void> {
  const said = {
    account_game: beat.account_game,
    kingdom_id: beat.kingdom_id ?? null,
    governor_id: beat.governor_id ?? null,
    packets_count: beat.packets_count,
    tasking_count: beat.tasking_count,
    tasking_count_failed: beat.tasking_count_failed,
    kingdom_titles: beat.kingdom_titles,
    discord_titles: beat.discord_titles,
    error: beat.error ?? null,
    kingdoms: beat.kingdoms ? JSON.stringify(beat.kingdoms) : null,
    account_ip: address,
    last_connected_at: now,
  };
  const { bot_id } = beat;
  const [known] = await db.batch([
    db
      .select({ id: bots.bot_id })
      .from(bots)
      .where(and(eq(bots.group_id, groupId), eq(bots.bot_id, bot_id))),
    db.delete(refusals).where(
      sql`${refusals.bot_id} = ${`${groupId}/${bot_id}`} AND ${said.kingdoms} IS NOT (
          SELECT ${bots.kingdoms} FROM ${bots} WHERE ${bots.group_id} = ${groupId} AND ${bots.bot_id} = ${bot_id})`,
    ),
    db
      .insert(bots)
      .values({ group_id: groupId, bot_id, ...said })
      .onConflictDoUpdate({ target: [bots.group_id, bots.bot_id], set: said }),
  ]);
  if (known.length > 0) return;
  await db.$client
    .prepare(
      `DELETE FROM bots WHERE group_id = ?1 AND bot_id NOT IN (
         SELECT bot_id FROM bots WHERE group_id = ?1 ORDER BY last_connected_at DESC, bot_id LIMIT ?2)`,
    )
    .bind(groupId, MAX_BOTS)
    .run();
}

/** Records a call of a bot (`group/bot`), to the second. */
export const heardStatement = (db: Db, bot: string, now: number): D1PreparedStatement =>
  db.$client
    .prepare(
      `UPDATE bots SET last_connected_at = ?2 WHERE group_id = substr(?1, 1, instr(?1, '/') - 1)
         AND bot_id = substr(?1, instr(?1, '/') + 1) AND last_connected_at <= ?2 - ${SECOND_MS}`,
    )
    .bind(bot, now);

/** A bot is offline after this long without a call. A bot without work asks for it every four minutes. */
export const ONLINE_MS = LONGEST_IDLE_MS + 60_000;

/** Counts the bots that are online. Retired ones may still call, but get no work. */
export async function onlineBots(db: Db, now = Date.now()): Promise<number> {
  const row = await db.$client
    .prepare(`SELECT count(*) AS count FROM ${BOTS} AND last_connected_at > ?`)
    .bind(now - ONLINE_MS)
    .first<{ count: number }>();
  return row?.count ?? 0;
}

/** A bot not seen for this long is deleted. If it comes back, it is a new one. */
const FORGOTTEN_MS = 90 * DAY_MS;

export async function forgetBots(db: Db, now: number): Promise<void> {
  await db.delete(bots).where(lt(bots.last_connected_at, now - FORGOTTEN_MS));
}
