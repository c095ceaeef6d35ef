import type { CompareQuery, ExportQuery } from '../../../domain/compare/contract.ts';
import { weightsOf } from '../../../domain/compare/contract.ts';
import type { Db } from '../../db/open.ts';
import { streamOf } from '../../files/stream-of.ts';
import type { Studio } from '../boards/draw-card.ts';
import type { Pieces } from '../difference/write-json.ts';
import { comparedColumns, comparedPieces } from './answer-compare.ts';
import { exportCompared } from './export-compare.ts';
import { compareScans, rangesOf } from './load-ranges.ts';
import { score } from './score.ts';
import { inSlot, untilSent } from './slot.ts';

/** The user whose scans are compared, and the store that holds them. */
interface Shelf {
  db: Db;
  store: R2Bucket;
  userId: string;
}

/** Loads the comparison that a query names, scored by its weights. */
async function comparedBy({ db, store, userId }: Shelf, query: CompareQuery) {
  const ranges = await rangesOf(db, userId, query);
  const loaded = await compareScans(store, db, userId, ranges);
  return inSlot(loaded.slot, async () => {
    const { power_off = 0, zeroed = {}, verified = {}, farms = null, goals = [] } = query;
    const scoring = { weights: weightsOf(loaded.game, query), power_off, zeroed, verified, farms, goals };
    return { loaded, scored: score(loaded.compared, scoring, loaded.roster) };
  });
}

/** Streams chunks as a response's body. */
const streamed = (pieces: Pieces): Response =>
  new Response(streamOf(pieces), {
    headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'private, no-store' },
  });

/** Returns a comparison of scans, governor by governor, in the envelope of answers. */
export async function comparePlayers(shelf: Shelf, query: CompareQuery): Promise<Response> {
  const { loaded, scored } = await comparedBy(shelf, query);
  return untilSent(streamed(comparedPieces(loaded, scored)), loaded.slot);
}

/** Returns a comparison of scans as columns, in the envelope of answers. */
export async function compareTable(shelf: Shelf, query: CompareQuery): Promise<Response> {
  const { loaded, scored } = await comparedBy(shelf, query);
  return untilSent(streamed(comparedColumns(loaded, scored)), loaded.slot);
}

/** Returns a comparison of scans as a file. */
export async function compareFile(
  studio: Studio,
  shelf: Shelf,
  query: Omit<ExportQuery, 'headers'>,
  titled: boolean,
): Promise<Response> {
  const { loaded, scored } = await comparedBy(shelf, query);
  return exportCompared(studio, { loaded, scored, name: null, columns: null }, { type: query.type, titled });
}
