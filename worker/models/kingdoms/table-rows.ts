import { dayNumber, type History, type HistoryScan, putScan } from '../../../domain/history/history.ts';
import { DAY_FIGURES, NOTHING, storedLineOf, untold } from '../../../domain/history/line.ts';
import { packState, STATE_FIGURES, type StateFigure } from '../../../domain/history/state.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import type { Db } from '../../db/open.ts';
import type { Asked } from './directory.ts';

/**
 * The newest rows of governors as releases kept them in `governors` before packed files had them. A file of such a
 * release takes them from there, when it is read or next written. The columns go with a later release.
 */

interface TableRow extends Record<StateFigure, number | null> {
  governor_id: number;
  name: string;
  alliance_tag: string;
  power: number;
  profile: string;
  captured_at: number;
  profile_at: number | null;
}

const ROWS_AT_ONCE = 2000;

// Rows of early releases have no profile time; their figures were read with their scan.
const READ_AT = `coalesce(profile_at, CASE WHEN coalesce(score, deads, hall, t1) IS NOT NULL THEN captured_at END)`;

/**
 * Adds the rows of a kingdom's governors to a history without states. Returns whether there are any. The index is
 * named, because SQLite would rather read the game's governors in the order of their ids than sort those of a kingdom.
 */
export async function addTableRows(db: Db, { game, kingdom_id }: Asked, history: History): Promise<boolean> {
  let any = false;
  for (let after = 0, found = ROWS_AT_ONCE; found === ROWS_AT_ONCE; ) {
    const { results } = await db
      .directory(game)
      .prepare(
        `SELECT governor_id, name, alliance_tag, power, ${STATE_FIGURES.join(', ')}, profile, captured_at,
           ${READ_AT} AS profile_at
         FROM governors INDEXED BY governors_kingdom WHERE game = ?1 AND kingdom_id = ?2 AND governor_id > ?3
         ORDER BY governor_id LIMIT ${ROWS_AT_ONCE}`,
      )
      .bind(game, kingdom_id, after)
      .all<TableRow>();
    for (const row of results) addRow(history, { kingdom_id, captured_at: row.captured_at, by_file: false }, row);
    found = results.length;
    any ||= found > 0;
    after = results.at(-1)?.governor_id ?? 0;
  }
  history.stated = true;
  return any;
}

/** Adds a row. A governor without a line gets one that has no day, because nobody was seen in the days of the file. */
function addRow(history: History, scan: HistoryScan, row: TableRow): void {
  const { governor_id, name, alliance_tag, power, profile, profile_at, captured_at } = row;
  const state = packState(
    { name, alliance_tag, profile_at, figures: row, others: JSON.parse(profile) as Row },
    history.columns,
  );
  const line = history.lines.get(governor_id);
  if (line) line.state = state;
  else {
    const values = DAY_FIGURES.map((figure) => (figure === 'power' ? power : 0));
    const entry = { day: dayNumber(captured_at), scan: putScan(history, scan), read: 0, unread: 0, values };
    history.lines.set(governor_id, storedLineOf(untold(entry), NOTHING, state));
  }
}
