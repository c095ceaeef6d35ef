import type * as z from 'zod';
import type { governorLine } from '../../../domain/compare/answers.ts';
import type { lineQuery } from '../../../domain/compare/contract.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { orNull } from '../../../domain/known.ts';
import { numbersOf, type Table, textsOf } from '../../../domain/scans/rows.ts';
import type { Db } from '../../db/open.ts';
import { wholeTable } from '../../files/parquet.ts';
import { openStored } from '../../gateways/snapshot-store.ts';
import { forEachAtOnce } from '../../isolate/at-once.ts';
import { placeOfScan, readingsBefore } from '../../models/library/scans.ts';

type GovernorLine = z.infer<typeof governorLine>;

/** Maximum number of scans that one answer searches. The next answer continues with older ones. */
const MOST_SCANS = 60;
/** Maximum number of rows whose ids one answer searches, in batches of scans. */
const MOST_ROWS = 300_000;

/**
 * Returns a governor's figures in each scan of the user's library that contains them, oldest first, from the newest
 * scan or from `before` backwards. Sums over days are no readings.
 */
export async function governorPoints(
  store: R2Bucket,
  db: Db,
  userId: string,
  { game, governor, before, origin }: z.infer<typeof lineQuery>,
): Promise<GovernorLine> {
  const { id, name, power, score, deads, tiers } = GAMES[game].roles;
  const figures = [power, score, deads, ...tiers];
  const { scans, count } = await readingsBefore(db, userId, { game, before, origin, most: MOST_SCANS });
  const looked = scans.slice(0, Math.max(1, withinRows(scans)));
  const points: (GovernorLine['points'][number] | undefined)[] = [];
  await forEachAtOnce(looked, async ({ key, scan_id, captured_at, kingdom_id, source }, index) => {
    const row = await rowOf(store, key, { id, governor, columns: [name, ...figures] });
    if (!row) return;
    points[index] = {
      scan_id,
      captured_at,
      kingdom_id,
      source,
      name: textsOf(row, name)[0] ?? '',
      figures: Object.fromEntries(figures.map((figure) => [figure, orNull(row.numbers[figure]?.[0])])),
    };
  });
  const left_out = count - looked.length;
  const last = looked.at(-1);
  return {
    points: points.filter((point) => point !== undefined).reverse(),
    left_out,
    next: left_out > 0 && last ? placeOfScan(last) : null,
  };
}

/** Returns how many of the scans fit into one answer's rows. */
function withinRows(scans: readonly { rows: number }[]): number {
  let rows = 0;
  const over = scans.findIndex((scan) => {
    rows += scan.rows;
    return rows > MOST_ROWS;
  });
  return over < 0 ? scans.length : over;
}

/**
 * Returns a governor's row of a scan with these columns, or null. Reads the ids to find the row, then only the row
 * group that contains it: about a thousandth of the whole scan.
 */
async function rowOf(
  store: R2Bucket,
  key: string,
  { id, governor, columns }: { id: string; governor: number; columns: readonly string[] },
): Promise<Table | null> {
  const snapshot = await openStored(store, key);
  try {
    const at = numbersOf(await wholeTable(snapshot, [id]), id).indexOf(governor);
    if (at < 0) return null;
    const { value: row } = await snapshot.between(at, at + 1, columns).next();
    return row ?? null;
  } finally {
    snapshot.close();
  }
}
