import { countQualities, type Quality, verdictsOf, withVerdicts } from '../../../domain/scans/quality.ts';
import { emptyUnread } from '../../../domain/scans/read.ts';
import type { Table } from '../../../domain/scans/rows.ts';
import { wholeTable } from '../../files/parquet.ts';
import { openStored } from '../../gateways/snapshot-store.ts';
import { logError } from '../../log.ts';

/** A scan of 20,000 governors in one request: a file of 300 scans has 300 to compare with. */
const COMPARED_BYTES = 2 * 1024 * 1024;

/**
 * Reads columns of an earlier snapshot to compare with. Returns null if there is none or it cannot be read: a comparison
 * holds up nothing that was paid for. If the bucket is down, storing the new rows fails as well, and the retry compares.
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
 * The rows of a snapshot as they are kept: empty where nothing was read, with the verdict on each row. Counters are
 * compared with those of `earlier`, which has the telling columns at least.
 */
export function judge(
  table: Table,
  earlier: Table | null,
): { judged: Table; quality: Partial<Record<Quality, number>> } {
  const verdicts = verdictsOf(emptyUnread(table), earlier ?? undefined);
  return { judged: withVerdicts(table, verdicts), quality: countQualities(verdicts) };
}
