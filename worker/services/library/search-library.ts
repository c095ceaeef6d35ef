import { GAMES } from '../../../domain/games/games.ts';
import { numbersOf, textsOf } from '../../../domain/scans/rows.ts';
import { searchKey } from '../../../domain/search.ts';
import type { Db } from '../../db/open.ts';
import { wholeTable } from '../../files/parquet.ts';
import { openStored } from '../../gateways/snapshot-store.ts';
import type { SearchResult } from '../../models/kingdoms/search.ts';
import { newestImported } from '../../models/library/scans.ts';

/** Limits of a search: newest scans of the most recently imported kingdoms, and their total rows. */
const MOST_SCANS = 12;
const MOST_ROWS = 60_000;
const PER_KIND = 8;
/** Minimum query length, because a single letter is in nearly every name. */
const SHORTEST = 2;

type Imported = Awaited<ReturnType<typeof newestImported>>[number];

/** Searches a user's imported scans for governors, alliances and kingdoms by name, id, tag or number. */
export async function searchLibrary(store: R2Bucket, db: Db, userId: string, words: string): Promise<SearchResult> {
  const key = searchKey(words);
  const found: SearchResult = { governors: [], alliances: [], kingdoms: [] };
  if (key === '') return found;
  const scans = await newestImported(db, userId);
  found.kingdoms = scans
    .filter(({ kingdom_id }) => String(kingdom_id).startsWith(key))
    .slice(0, PER_KIND)
    .map(({ game, kingdom_id }) => ({ game, kingdom_id }));
  let rows = 0;
  for (const scan of key.length < SHORTEST ? [] : scans.slice(0, MOST_SCANS)) {
    rows += scan.rows;
    if (rows > MOST_ROWS) break;
    await searchScan(store, scan, key, found);
  }
  return found;
}

async function searchScan(
  store: R2Bucket,
  { game, kingdom_id, key: file }: Imported,
  key: string,
  found: SearchResult,
) {
  const { id, name, tag } = GAMES[game].roles;
  const snapshot = await openStored(store, file);
  try {
    const table = await wholeTable(snapshot, [id, name, tag]);
    const [ids, names, tags] = [numbersOf(table, id), textsOf(table, name), textsOf(table, tag)];
    const alliances = new Map<string, number>();
    for (let row = 0; row < table.count; row++) {
      const [governor_id, called, alliance_tag] = [ids[row] ?? 0, names[row] ?? '', tags[row] ?? ''];
      if (alliance_tag !== '') alliances.set(alliance_tag, (alliances.get(alliance_tag) ?? 0) + 1);
      if (found.governors.length >= PER_KIND) continue;
      const known = found.governors.some((one) => one.game === game && one.governor_id === governor_id);
      if (!known && (String(governor_id) === key || searchKey(called).includes(key)))
        found.governors.push({ game, governor_id, name: called, alliance_tag, kingdom_id });
    }
    for (const [alliance_tag, member_count] of alliances)
      if (found.alliances.length < PER_KIND && searchKey(alliance_tag).startsWith(key))
        found.alliances.push({ game, kingdom_id, alliance_tag, alliance_name: '', member_count });
  } finally {
    snapshot.close();
  }
}
