import { withoutRepeats } from '../../../domain/difference/places.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { type Table, type Texts, tableOf } from '../../../domain/scans/rows.ts';
import { wholeTable } from '../../files/parquet.ts';
import { openStored } from '../../gateways/snapshot-store.ts';
import { joinScans, type StoredScan, type WantedColumns } from '../scans/join-scans.ts';

/**
 * Reads one side of a comparison: columns of the stored scans of all its kingdoms, as one table. The `core` ones are
 * always there, of the others (`more`) those that some scan has values in.
 */
export async function loadSide(
  store: R2Bucket,
  game: GameId,
  scans: readonly StoredScan[],
  columns: WantedColumns,
): Promise<Table> {
  const [only] = scans;
  if (!only) return tableOf(game, []);
  const side =
    scans.length > 1 ? await joinScans(store, game, scans, columns) : await oneScan(store, game, only, columns);
  const { [GAMES[game].roles.tag]: tags } = side.texts;
  if (tags) share(tags);
  return side;
}

/** Reads a single scan. It needs no columns allocated in advance. */
async function oneScan(
  store: R2Bucket,
  game: GameId,
  { key }: StoredScan,
  { core, more }: WantedColumns,
): Promise<Table> {
  const snapshot = await openStored(store, key);
  try {
    const wanted = [GAMES[game].roles.id, ...core, ...more.filter((column) => snapshot.filled.has(column))];
    return withoutRepeats(await wholeTable(snapshot, [...new Set(wanted)]));
  } finally {
    snapshot.close();
  }
}

/** Stores each distinct text once, because a whole alliance shares its tag. */
function share(texts: Texts): void {
  const known = new Map<string, string>();
  for (let row = 0; row < texts.length; row++) {
    const text = texts[row] as string | null;
    if (text === null) continue;
    const first = known.get(text);
    if (first === undefined) known.set(text, text);
    else texts[row] = first;
  }
}
