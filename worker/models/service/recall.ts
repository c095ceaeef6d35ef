import type { GameId } from '../../../domain/games/games.ts';
import { writeBoth } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { recountStatement } from '../fleet/subtasks.ts';
import { snapshotsOfItems } from '../scans/snapshots.ts';
import { auditIfChanged } from './audit.ts';
import { ACTOR, type Operator } from './operator.ts';

/** Recalls delivered results that contain wrong rows from a bot. */

/** An item with rows from the bot. */
export interface Sold {
  item_id: string;
  order_id: number;
  username: string;
  game: GameId;
  kingdom_id: number;
  finished_at: number;
  /** Number of its subtasks that the bot scanned. */
  parts: number;
}

const RECALLED = 'item.recalled';

/** SQL: scanned by `?1`, which is `group/bot` or a group with all of its bots. */
const OF_BOT = `(subtasks.bot_id = ?1 OR substr(subtasks.bot_id, 1, length(?1) + 1) = ?1 || '/')`;

/** Returns items delivered since a time (epoch ms) with rows from a bot, oldest first. */
export async function soldBy(db: Db, bot: string, since: number): Promise<Sold[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT items.id AS item_id, items.order_id, users.username, items.game, items.kingdom_id, items.finished_at,
         count(*) AS parts
       FROM items JOIN subtasks ON subtasks.item_id = items.id AND subtasks.state = 'done' AND ${OF_BOT}
       JOIN orders ON orders.id = items.order_id JOIN users ON users.id = orders.user_id
       WHERE items.state = 'done' AND items.snapshot_id IS NOT NULL AND items.finished_at >= ?2
       GROUP BY items.id ORDER BY items.finished_at, items.id`,
    )
    .bind(bot, since)
    .all<Sold>();
  return results;
}

/** A recalled item's objects, and the kingdom to pack again. */
export interface Remains {
  game: GameId;
  kingdom_id: number;
  /** Keys of its snapshots' objects. They are not used again, because the item's version has risen. */
  keys: string[];
}

/** Returns the objects of a bot's recalled items, whether or not they still exist. */
export async function remainsOf(db: Db, bot: string): Promise<Remains[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT items.game, items.kingdom_id, detail ->> 'keys' AS keys
       FROM audit_entries JOIN items ON items.id = audit_entries.subject
       WHERE actor = ?1 AND action = '${RECALLED}' AND detail ->> 'bot' = ?2 AND detail ->> 'keys' IS NOT NULL
       ORDER BY audit_entries.id`,
    )
    .bind(ACTOR, bot)
    .all<Omit<Remains, 'keys'> & { keys: string }>();
  return results.map(({ keys, ...one }) => ({ ...one, keys: JSON.parse(keys) as string[] }));
}

const MAIL = `'Hello ' || users.username || ',' || char(10, 10) || 'results of your order #' || orders.id ||
  ' turned out to be wrong, so we withdrew them. Bots are scanning them again at no charge. Whatever is missing after 24 hours is refunded to the balance that paid it.'
  || char(10, 10) || 'Muster'`;

/**
 * Recalls an item's results and requeues all of it, first for other bots. Deletes its snapshots and what they recorded
 * about governors, kingdom and events. Packing the kingdom enters again what other scans show. Notifies the owner. As
 * with any item, what is not scanned within a day is refunded. Returns the keys of the objects to delete, or null if the
 * item is not delivered (any more). The audit log keeps them for a recall that is cut short (`remainsOf`).
 */
export async function recallItem(
  db: Db,
  operator: Operator,
  { item_id, bot }: { item_id: string; bot: string },
  now = Date.now(),
): Promise<string[] | null> {
  const { results: snapshots } = await db.$client
    .prepare(
      `SELECT id, key, game, kingdom_id, captured_at
       FROM (${snapshotsOfItems('= ?1')})
       WHERE EXISTS (SELECT 1 FROM items WHERE id = ?1 AND state = 'done' AND snapshot_id IS NOT NULL)`,
    )
    .bind(item_id)
    .all<{ id: number; key: string; game: GameId; kingdom_id: number; captured_at: number }>();
  const [first] = snapshots;
  if (!first) return null;
  const keys = snapshots.map(({ key }) => key);
  const bind = (sql: string, ...values: unknown[]) => db.$client.prepare(sql).bind(item_id, ...values);
  const recalled = `EXISTS (SELECT 1 FROM items WHERE id = ?1 AND state = 'open' AND snapshot_id IS NULL)`;
  const directory = db.directory(first.game);
  const ofScan = 'game = ?1 AND kingdom_id = ?2 AND captured_at = ?3';
  const ofGovernors = snapshots.flatMap(({ game, kingdom_id, captured_at }) =>
    [
      `search_entries WHERE game = ?1 AND kind = 'governor'
         AND ref IN (SELECT CAST(governor_id AS TEXT) FROM governors WHERE ${ofScan})`,
      `governor_changes WHERE ${ofScan}`,
      `governors WHERE ${ofScan}`,
    ].map((rows) => directory.prepare(`DELETE FROM ${rows}`).bind(game, kingdom_id, captured_at)),
  );
  // The kingdom's digest enters again those that other scans show.
  const ofAlliances = directory
    .prepare(
      `DELETE FROM search_entries WHERE game = ?1 AND kind = 'alliance' AND ref >= ?2 || ':' AND ref < ?2 || ';'`,
    )
    .bind(first.game, String(first.kingdom_id));
  const listed = [...ofGovernors, ofAlliances];
  // Another recall of the item may have freed the id for somebody else's snapshot meanwhile.
  const own = `${recalled} AND EXISTS (SELECT 1 FROM snapshots WHERE id = ?2 AND item_id = ?1)`;
  const gone = snapshots.flatMap(({ id }) => [
    bind(`UPDATE event_parts SET snapshot_id = NULL WHERE snapshot_id = ?2 AND ${own}`, id),
    bind(`DELETE FROM event_part_versions WHERE snapshot_id = ?2 AND ${own}`, id),
    bind(`DELETE FROM kingdom_days WHERE snapshot_id = ?2 AND ${own}`, id),
    bind(`DELETE FROM snapshots WHERE id = ?2 AND ${own}`, id),
  ]);
  const scans = `FROM snapshots WHERE game = ?1 AND kingdom_id = ?2 AND kind = 'scan'`;
  const kingdom = (sql: string) => db.$client.prepare(sql).bind(first.game, first.kingdom_id);
  // The item changes last, so a recall that is cut short is repeated in whole.
  const [, [taken]] = await writeBoth(db, first.game, listed, [
    bind(
      `UPDATE items SET state = 'open', version = version + 1, snapshot_id = NULL, snapshot_ids = NULL, finished_at = NULL,
         repaired_at = ?2, error = NULL WHERE id = ?1 AND state = 'done' AND snapshot_id IS NOT NULL RETURNING id`,
      now,
    ),
    auditIfChanged(
      db,
      { userId: null, actor: ACTOR, action: RECALLED, subject: item_id, detail: { bot, by: operator.name, keys } },
      now,
    ),
    bind(
      `UPDATE subtasks SET state = 'waiting', attempts = 0, lease = NULL, lease_until = ?2, error = NULL, empty_by = NULL,
         doubted_by = bot_id, bot_id = NULL, due = ?2 + number * 1000 WHERE item_id = ?1 AND ${recalled}`,
      now,
    ),
    recountStatement(db, { items: [item_id] }),
    bind(
      `INSERT INTO outbox (reference, recipient, subject, text, created_at, next_at)
       SELECT 'recalled:' || orders.uuid || ':' || strftime('%Y-%m-%d', ?2 / 1000, 'unixepoch'), users.email,
         'Results of order #' || orders.id || ' are read again', ${MAIL}, ?2, ?2
       FROM items JOIN orders ON orders.id = items.order_id JOIN users ON users.id = orders.user_id
       WHERE items.id = ?1 AND users.deleted_at IS NULL AND ${recalled} ON CONFLICT (reference) DO NOTHING`,
      now,
    ),
    ...gone,
    kingdom(`DELETE FROM kingdoms WHERE game = ?1 AND kingdom_id = ?2 AND NOT EXISTS (SELECT 1 ${scans})`),
    kingdom(`UPDATE kingdoms SET captured_at = (SELECT max(captured_at) ${scans}) WHERE game = ?1 AND kingdom_id = ?2`),
  ]);
  return taken?.results.length ? keys : null;
}
