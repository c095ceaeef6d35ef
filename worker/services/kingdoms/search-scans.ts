import { searchKey } from '../../../domain/search.ts';
import type { Db } from '../../db/open.ts';
import { type Edge, edgeKept } from '../../gateways/edge-cache.ts';
import { type SearchResult, search } from '../../models/kingdoms/search.ts';

const EDGE_SECONDS = 60;
const NOTHING: SearchResult = { governors: [], alliances: [], kingdoms: [] };

/** Searches public scan data; cached for a minute. */
export async function searchScans(db: Db, edge: Edge, words: string): Promise<SearchResult> {
  // Equivalent spellings share a cache entry.
  const name = `search/${encodeURIComponent(searchKey(words))}`;
  return (await edgeKept(edge, name, EDGE_SECONDS, () => search(db, words))) ?? NOTHING;
}
