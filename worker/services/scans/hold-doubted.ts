import { capital } from '../../../domain/figures.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { RANKS_PER_SUBTASK } from '../../../domain/orders/catalogue.ts';
import { agree, doubtsOf } from '../../../domain/scans/implausible.ts';
import type { Table } from '../../../domain/scans/rows.ts';
import { type Columns, unpackColumns } from '../../../domain/scans/staged.ts';
import type { Db } from '../../db/open.ts';
import { type HeldBack, holdBack } from '../../models/fleet/doubts.ts';

interface Item {
  item_id: string;
  order_id: number;
  version: number;
  game: GameId;
  kingdom_id: number;
  /** Number of ranks ordered. */
  governors: number;
}

/** The rows of a subtask, and an earlier implausible result. */
interface Reading extends Columns {
  subtask_id: number;
  number: number;
  bot: string | null;
  held: ArrayBuffer | null;
  held_by: string | null;
}

/** True if another bot delivered the same rows before. */
const isConfirmed = (game: GameId, { held, held_by, bot, ...columns }: Reading): boolean =>
  held !== null && held_by !== bot && agree(game, unpackColumns(held), columns);

/** True for empty first ranks: they arrive here only after a second bot confirmed them. */
const isConfirmedEmpty = ({ number, count }: Reading): boolean => number === 0 && count === 0;

/**
 * Requeues implausible parts of a scan for another bot. `last` has ids and power of the kingdom's previous scan, null
 * if there is none. Rows that two bots agree on are accepted unless they are impossible. Reports each doubt to admins.
 * Returns the state of the requeued parts: waiting, or failed after the last attempt.
 */
export async function holdDoubted(
  db: Db,
  item: Item,
  readings: readonly Reading[],
  last: Table | null,
): Promise<Map<number, 'waiting' | 'failed'>> {
  const { game, kingdom_id, order_id, governors } = item;
  const parts = readings.map((reading) => ({
    ...reading,
    from_rank: reading.number * RANKS_PER_SUBTASK + 1,
    ranks: Math.min(RANKS_PER_SUBTASK, governors - reading.number * RANKS_PER_SUBTASK),
  }));
  const doubts = doubtsOf(game, parts, last);
  const held = parts.flatMap((part, index): HeldBack[] => {
    const doubt = doubts[index];
    if (!doubt || isConfirmedEmpty(part)) return [];
    if (!doubt.impossible && isConfirmed(game, part)) return [];
    const where = `${capital(GAMES[game].kingdom.one)} ${kingdom_id}, ranks from ${part.from_rank}, order #${order_id}`;
    return [{ subtask_id: part.subtask_id, bot: part.bot ?? '', why: `${where}: ${doubt.why}` }];
  });
  return held.length === 0 ? new Map() : holdBack(db, item, held);
}
