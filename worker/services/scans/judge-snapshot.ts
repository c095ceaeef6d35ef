import {
  countQualities,
  type Quality,
  tellingColumns,
  verdictsOf,
  withVerdicts,
} from '../../../domain/scans/quality.ts';
import { emptyUnread } from '../../../domain/scans/read.ts';
import type { Table } from '../../../domain/scans/rows.ts';
import { wholeTable } from '../../files/parquet.ts';
import { openStored } from '../../gateways/snapshot-store.ts';

/**
 * The rows of a snapshot as they are kept: empty where nothing was read, with the verdict on each row. Counters are
 * compared with those of the earlier snapshot under the key `compared`.
 */
export async function judge(
  store: R2Bucket,
  table: Table,
  compared: string | null,
): Promise<{ judged: Table; quality: Partial<Record<Quality, number>> }> {
  const earlier = compared
    ? await wholeTable(await openStored(store, compared), tellingColumns(table.game))
    : undefined;
  const verdicts = verdictsOf(emptyUnread(table), earlier);
  return { judged: withVerdicts(table, verdicts), quality: countQualities(verdicts) };
}
