/** SQL that finds which bots can scan which kingdoms, from what they declare and what they refused. */

/** How long after its last heartbeat a bot still counts as able to scan, in ms. */
const REACH_MS = 60 * 60_000;

/** SQL: the bot did not refuse the item. The arguments are SQL expressions. */
export const notRefusedSql = (item: string, bot: string): string =>
  `NOT EXISTS (SELECT 1 FROM refusals WHERE refusals.item_id = ${item} AND refusals.bot_id = ${bot})`;

/** SQL: bot ?3 (`group/bot`) or its group is paused or retired: it gets no work. */
export const RESTS = `EXISTS (
  SELECT 1 FROM bot_groups LEFT JOIN bots ON group_id = bot_groups.id AND bot_id = substr(?3, instr(?3, '/') + 1)
  WHERE bot_groups.id = substr(?3, 1, instr(?3, '/') - 1)
    AND (bot_groups.paused_at IS NOT NULL OR bot_groups.revoked_at IS NOT NULL OR bots.paused_at IS NOT NULL
      OR bots.retired_at IS NOT NULL))`;

/** SQL: the subtask of this table waits, or its lease expired. */
export const unheldSql = (subtasks: string, now: string): string =>
  `(${subtasks}.state = 'waiting' OR ${subtasks}.state = 'leased' AND ${subtasks}.lease_until <= ${now})`;

/** SQL: bots that were not retired, alone or with their group, as a FROM clause that conditions can follow. */
export const BOTS = `bots JOIN bot_groups ON bot_groups.id = bots.group_id AND bot_groups.revoked_at IS NULL
   WHERE bots.retired_at IS NULL`;

/** SQL: bots that can scan a game, as a FROM clause that conditions can follow. */
export const botsOfGameSql = (game: string): string =>
  `${BOTS} AND (bots.kingdoms IS NULL OR coalesce(bots.kingdoms -> ${game}, '[]') <> '[]')`;

/** SQL condition: the bot was online within the hour before `now`. */
export const recentSql = (now: string): string => `bots.last_connected_at > ${now} - ${REACH_MS}`;

/** SQL: a bot online within the hour before `now` can scan the kingdom of the row of `items`. */
export const reachableSql = (now: string): string =>
  `EXISTS (SELECT 1 FROM ${BOTS} AND ${recentSql(now)}
     AND (bots.kingdoms IS NULL OR EXISTS (
       SELECT 1 FROM json_each(bots.kingdoms, '$.' || items.game) WHERE value IN ('all', items.kingdom_id)))
     AND ${notRefusedSql('items.id', `bots.group_id || '/' || bots.bot_id`)})`;
