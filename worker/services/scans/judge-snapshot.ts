import { countQualities, type Quality, verdictsOf, withVerdicts } from '../../../domain/scans/quality.ts';
import { emptyUnread } from '../../../domain/scans/read.ts';
import type { Table } from '../../../domain/scans/rows.ts';
import { logError } from '../../errors.ts';
import { wholeTable } from '../../files/parquet.ts';
import { openStored } from '../../gateways/snapshot-store.ts';

/** Enough for a scan of 20,000 governors in one request, because a file of 300 scans needs 300 to compare with. */
const COMPARED_BYTES = 2 * 1024 * 1024;

/**
 * Reads columns of an earlier snapshot for comparison. Returns null if there is none or it cannot be read, so that a
 * comparison never blocks a paid order. If the bucket is down, storing the new rows fails too, and the retry compares.
 */
export async function readToCompare(
  store: R2Bucket,
  key: string | null,
  columns: readonly string[],
): Promise<Table | null> {
  if (key === null) return null;
  try {
    return await wholeTable(await openStored(store, key, COMPARED_BYTES), columns);
  } catch (error) {
    logError({ comparing: key }, error);
    return null;
  }
}

/**
 * Returns a snapshot's rows as stored: unread values emptied and each row's quality added. Counters are checked against
 * `earlier`, which must have the `tellingColumns`.
 */
export function judge(
  table: Table,
  earlier: Table | null,
): { judged: Table; quality: Partial<Record<Quality, number>> } {
  const verdicts = verdictsOf(emptyUnread(table), earlier ?? undefined);
  return { judged: withVerdicts(table, verdicts), quality: countQualities(verdicts) };
}
