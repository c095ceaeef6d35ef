import { layoutOf } from '../../../domain/scans/layouts.ts';
import { Adder, type ResultSums } from '../../../domain/scans/result-sums.ts';
import { wholeTable } from '../../files/parquet.ts';
import { inTurn, keysFor } from '../../files/survey.ts';
import { keepSums, keptSums, openStored } from '../../gateways/snapshot-store.ts';
import { byShape, type Stored } from './page-results.ts';

/** What results of several snapshots add up to. */
export interface CombinedSums {
  /** Of each snapshot, in their order. */
  parts: ResultSums[];
  /** Of all snapshots of each shape, in the order in which a shape comes first. */
  totals: ResultSums[];
}

/** Adds up snapshots, each by itself and together. Snapshots never change, so it is done once and kept. */
export async function sumsOf(store: R2Bucket, snapshots: readonly Stored[]): Promise<CombinedSums> {
  if (snapshots.length === 0) return { parts: [], totals: [] };
  const keys = snapshots.map(({ key }) => key);
  const kept = await keptSums<CombinedSums>(store, keys);
  if (kept) return kept;
  const adders = new Map(byShape(snapshots).map(([first]) => [layoutOf(first as Stored), new Adder()]));
  const parts: ResultSums[] = [];
  for await (const snapshot of inTurn(keys.map((key) => () => openStored(store, key)))) {
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
