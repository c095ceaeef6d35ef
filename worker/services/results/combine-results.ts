import type * as z from 'zod';
import { movingItems } from '../../../domain/orders/order.ts';
import type { combinedResults } from '../../../domain/scans/answers.ts';
import { layoutOf } from '../../../domain/scans/layouts.ts';
import { Adder, type ResultSums } from '../../../domain/scans/result-sums.ts';
import { MAX_DOWNLOAD_ROWS, MAX_SHOWN_ROWS } from '../../../domain/scans/results.ts';
import type { Db } from '../../db/open.ts';
import { wholeTable } from '../../files/parquet.ts';
import { keysFor, openedInTurn } from '../../files/survey.ts';
import { keepSums, keptSums, openStored } from '../../gateways/snapshot-store.ts';
import { standingsOf } from '../../models/orders/orders.ts';
import { resultsOfOrder } from './find-results.ts';
import { byShape, countRows, type Stored } from './page-results.ts';

/** Sums over several snapshots. */
interface CombinedSums {
  /** One per snapshot, in order. */
  parts: ResultSums[];
  /** One per shape, in order of first appearance. */
  totals: ResultSums[];
}

/** Sums snapshots, separately and together. Snapshots never change, so the result is computed once and stored. */
export async function combinedSums(store: R2Bucket, snapshots: readonly Stored[]): Promise<CombinedSums> {
  if (snapshots.length === 0) return { parts: [], totals: [] };
  const keys = snapshots.map(({ key }) => key);
  const kept = await keptSums<CombinedSums>(store, keys);
  if (kept) return kept;
  const adders = new Map(byShape(snapshots).map(([first]) => [layoutOf(first as Stored), new Adder()]));
  const parts: ResultSums[] = [];
  for await (const snapshot of openedInTurn(keys.map((key) => () => openStored(store, key)))) {
    const table = await wholeTable(snapshot, keysFor(snapshot.meta, Adder.columns(snapshot.meta)));
    const part = new Adder();
    part.add(table);
    parts.push(part.finish());
    adders.get(layoutOf(snapshot.meta))?.add(table);
  }
  const sums = { parts, totals: [...adders.values()].map((adder) => adder.finish()) };
  await keepSums(store, keys, sums);
  return sums;
}

/**
 * Returns the sums over an order's results, by kingdom and in total. Above the row limit, rows are only counted.
 * @throws Refusal not_found, or conflict if there are no results.
 */
export async function combineResults(
  db: Db,
  store: R2Bucket,
  { userId, id }: { userId: string; id: string },
): Promise<z.output<typeof combinedResults>> {
  const snapshots = await resultsOfOrder(db, userId, id);
  const rows = countRows(snapshots);
  const shown = rows <= MAX_SHOWN_ROWS ? snapshots : [];
  const order_id = snapshots[0]?.order_id ?? 0;
  const [{ parts, totals }, standings] = await Promise.all([
    combinedSums(store, shown),
    standingsOf(db, [order_id]).then((all) => all.get(order_id) ?? {}),
  ]);
  return {
    order_id,
    own: snapshots[0]?.user_id === userId,
    item_count: Object.values(standings).reduce((sum, items) => sum + items, 0),
    live: movingItems(standings) > 0,
    rows,
    downloadable: rows <= MAX_DOWNLOAD_ROWS,
    totals: byShape(shown).flatMap((group, index) => {
      const [[first], sums] = [group, totals[index]];
      const kingdom_count = new Set(group.map(({ kingdom_id }) => kingdom_id)).size;
      return first && sums ? { game: first.game, kind: first.kind, kingdom_count, rows: countRows(group), sums } : [];
    }),
    parts: shown.flatMap(({ item_id, game, kind, kingdom_id, captured_at, version, rows: own }, index) => {
      const sums = parts[index];
      return sums ? { item_id, game, kind, kingdom_id, captured_at, version, rows: own, sums } : [];
    }),
  };
}
