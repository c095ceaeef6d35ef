import { isHidden } from '../../../domain/boards/leaderboard.ts';
import { searchKey } from '../../../domain/search.ts';
import type { Db } from '../../db/open.ts';
import { currentManifest } from '../../gateways/board-cache.ts';
import { type Edge, edgeKept } from '../../gateways/edge-cache.ts';
import { type SearchResult, search } from '../../models/kingdoms/search.ts';

const EDGE_SECONDS = 60;
const NOTHING: SearchResult = { governors: [], alliances: [], kingdoms: [] };

/** Searches public scan data, without governors who asked not to be shown; cached for a minute. */
export async function searchScans(
  db: Db,
  { store, edge }: { store: R2Bucket; edge: Edge },
  words: string,
): Promise<SearchResult> {
  // Equivalent spellings share a cache entry.
  const name = `search/${encodeURIComponent(searchKey(words))}`;
  const [found, manifest] = await Promise.all([
    edgeKept(edge, name, EDGE_SECONDS, () => search(db, words)),
    currentManifest(store, Date.now()),
  ]);
  if (!found) return NOTHING;
  const governors = found.governors.filter(({ game, governor_id }) => !isHidden(manifest[game], governor_id));
  return { ...found, governors };
}
