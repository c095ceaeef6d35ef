import { GAME_IDS, type GameId } from '../../../domain/games/games.ts';
import { containing, resembling, searchKey, slips, slipsForgiven } from '../../../domain/search.ts';
import { batchDirectories, directoriesOf } from '../../db/directories.ts';
import type { Db } from '../../db/open.ts';
import { together } from '../../isolate/at-once.ts';
import { STANDING } from './standing.ts';

export interface FoundGovernor {
  game: GameId;
  governor_id: number;
  name: string;
  alliance_tag: string;
  kingdom_id: number;
}

export interface FoundAlliance {
  game: GameId;
  kingdom_id: number;
  alliance_tag: string;
  alliance_name: string;
  member_count: number;
}

export interface FoundKingdom {
  game: GameId;
  kingdom_id: number;
}

export interface SearchResult {
  governors: FoundGovernor[];
  alliances: FoundAlliance[];
  kingdoms: FoundKingdom[];
}

const PER_KIND = 8;
/** Number of entries checked for typos: the strongest of those that share a half with the query. */
const RESEMBLING = 300;

interface Entry {
  id: number;
  game: GameId;
  kind: 'governor' | 'alliance';
  ref: string;
  key: string;
}

const COLUMNS = 'entry.id, entry.game, entry.kind, entry.ref, entry.key';

/** Finds governors by name or id, alliances by tag or name and kingdoms by number. Returns the best few of each. */
export async function search(db: Db, query: string): Promise<SearchResult> {
  const key = searchKey(query);
  const digits = /^\d{1,15}$/.test(key) ? key : null;
  if (key === '') return { governors: [], alliances: [], kingdoms: [] };
  const [named, byId, kingdoms] = await Promise.all([
    entriesOf(db, key),
    digits
      ? governorsListed(
          db,
          GAME_IDS.toSorted().map((game) => ({ game, governor_id: Number(digits) })),
        )
      : [],
    digits ? kingdomsFrom(db, digits) : [],
  ]);
  const of = (kind: Entry['kind']) => named.filter((entry) => entry.kind === kind).slice(0, PER_KIND);
  const [governors, alliances] = await Promise.all([
    governorsListed(
      db,
      of('governor').map(({ game, ref }) => ({ game, governor_id: Number(ref) })),
    ),
    alliancesOf(db, of('alliance')),
  ]);
  const ids = new Set(byId.map(({ game, governor_id }) => `${game}/${governor_id}`));
  const others = governors.filter(({ game, governor_id }) => !ids.has(`${game}/${governor_id}`));
  return { governors: [...byId, ...others].slice(0, PER_KIND), alliances, kingdoms };
}

/** Returns entries by quality of match: exact name, prefix, substring, and only then similar names. */
async function entriesOf(db: Db, key: string): Promise<Entry[]> {
  const limit = 2 * PER_KIND;
  const places = await together(
    directoriesOf(db).map(([client, games]) =>
      client.batch<Entry>([
        client
          .prepare(`SELECT ${COLUMNS} FROM search_entries entry WHERE key = ?${ofGames(games)} ORDER BY id LIMIT ?`)
          .bind(key, limit),
        client
          .prepare(`SELECT ${COLUMNS} FROM search_entries entry WHERE id IN (
              SELECT id FROM search_entries WHERE key > ?1 AND key < ?1 || char(0x10ffff)${ofGames(games)}
              ORDER BY id LIMIT ?2) ORDER BY id`)
          .bind(key, limit),
      ]),
    ),
  );
  const [exact, longer] = [0, 1].map((place) => strongest(places.map((answers) => answers[place]?.results ?? [])));
  const starting = unique([...(exact ?? []), ...(longer ?? [])]);
  // Enough names start with the query, so the long index lists of common trigrams are not read.
  if (starting.length >= PER_KIND) return starting;
  const [inside, alike] = [containing(key), resembling(key)];
  if (!inside) return starting;
  const [holding = [], sharing = []] = await indexed(db, [
    { match: inside, limit },
    ...(alike ? [{ match: alike, limit: RESEMBLING }] : []),
  ]);
  const found = unique([...starting, ...holding]);
  if (found.length >= PER_KIND) return found;
  const forgiven = slipsForgiven([...key].length);
  const near = sharing
    .map((entry) => ({ entry, slips: slips(key, entry.key) }))
    .filter((one) => one.slips <= forgiven)
    .sort((a, b) => a.slips - b.slips || a.entry.id - b.entry.id)
    .map(({ entry }) => entry);
  return unique([...found, ...near]);
}

/**
 * Returns the strongest entries that match each FTS5 query, in one trip. Each list is one text, because D1 takes longer
 * to make hundreds of rows than to find them.
 */
async function indexed(db: Db, queries: readonly { match: string; limit: number }[]): Promise<Entry[][]> {
  const places = await together(
    directoriesOf(db).map(([client, games]) => {
      const index = holdsAll(games)
        ? 'search_index'
        : 'search_index CROSS JOIN search_entries ON search_entries.id = search_index.rowid';
      const statement = client.prepare(
        `SELECT json_group_array(json_object('id', entry.id, 'game', entry.game, 'kind', entry.kind, 'ref', entry.ref,
           'key', entry.key) ORDER BY entry.id) AS entries
         FROM (SELECT search_index.rowid FROM ${index} WHERE search_index MATCH ?${ofGames(games)}
           ORDER BY search_index.rowid LIMIT ?) hit
         JOIN search_entries entry ON entry.id = hit.rowid`,
      );
      return client.batch<{ entries: string }>(queries.map(({ match, limit }) => statement.bind(match, limit)));
    }),
  );
  const found = places.map((answers) =>
    answers.map(({ results }) => JSON.parse(results[0]?.entries ?? '[]') as Entry[]),
  );
  return queries.map((_, query) => strongest(found.map((lists) => lists[query] ?? [])));
}

const holdsAll = (games: readonly GameId[]): boolean => games.length === GAME_IDS.length;

/** SQL that restricts search entries to some games. A database may still have those of a game that has moved. */
const ofGames = (games: readonly GameId[]): string =>
  holdsAll(games) ? '' : ` AND game IN (${games.map((game) => `'${game}'`).join(', ')})`;

/** Merges lists of several databases: the strongest entries have the lowest ids. */
const strongest = (lists: readonly (readonly Entry[])[]): Entry[] =>
  lists.length === 1 ? [...(lists[0] ?? [])] : lists.flat().sort((one, other) => one.id - other.id);

const unique = (entries: readonly Entry[]): Entry[] => [...new Map(entries.map((entry) => [entry.id, entry])).values()];

/** Returns those of the governors that appear in scans, in the same order. */
export async function governorsListed(
  db: Db,
  asked: readonly Pick<FoundGovernor, 'game' | 'governor_id'>[],
): Promise<FoundGovernor[]> {
  const found = new Map<string, FoundGovernor>();
  const sql = `SELECT game, governor_id, name, alliance_tag, kingdom_id FROM json_each(?2) one
    CROSS JOIN governors ON game = ?1 AND governor_id = one.value`;
  const answers = await batchDirectories<FoundGovernor>(
    db,
    [...Map.groupBy(asked, ({ game }) => game)].map(([game, its]) => ({
      ...{ game, sql },
      values: [game, JSON.stringify(its.map(({ governor_id }) => governor_id))],
    })),
  );
  for (const { results } of answers)
    for (const governor of results) found.set(`${governor.game} ${governor.governor_id}`, governor);
  return asked.flatMap(({ game, governor_id }) => found.get(`${game} ${governor_id}`) ?? []);
}

async function alliancesOf(db: Db, entries: readonly Entry[]): Promise<FoundAlliance[]> {
  if (entries.length === 0) return [];
  const results = await db.$client.batch<FoundAlliance>(
    entries.map(({ game, ref }) => {
      const [kingdom = ''] = ref.split(':', 1);
      return db.$client
        .prepare(
          `SELECT standing.game, standing.kingdom_id, value ->> 'tag' AS alliance_tag, value ->> 'name' AS alliance_name,
             value ->> 'members' AS member_count
           FROM (${STANDING}) standing, json_each(coalesce(standing.alliances, '[]')) WHERE value ->> 'tag' = ?3`,
        )
        .bind(game, Number(kingdom), ref.slice(kingdom.length + 1));
    }),
  );
  return results.flatMap(({ results: rows }) => rows);
}

/** Returns kingdoms whose number starts with these digits, lowest number first. */
async function kingdomsFrom(db: Db, digits: string): Promise<FoundKingdom[]> {
  const { results } = await db.$client
    .prepare(
      `SELECT game, kingdom_id FROM kingdoms WHERE CAST(kingdom_id AS TEXT) LIKE ? || '%'
       ORDER BY kingdom_id, game DESC LIMIT ?`,
    )
    .bind(digits, PER_KIND)
    .all<FoundKingdom>();
  return results;
}

/** Pages of the index that one statement merges, in some 30 ms. */
const PAGES_AT_ONCE = 500;

/**
 * Merges the segments of the search index until one is left, or until `until` (epoch ms by the clock). Each batch of
 * new entries adds a segment, and a search reads all of them: among 500,000 governors, twelve take up to ten times as
 * long as one (https://sqlite.org/fts5.html#the_merge_command).
 */
export async function mergeSearchIndex(db: Db, until: number): Promise<void> {
  // The first call, with a negative number, makes all segments mergeable, whatever their sizes.
  for (const [client] of directoriesOf(db))
    for (let pages = -PAGES_AT_ONCE; Date.now() < until; pages = PAGES_AT_ONCE) {
      const merge = client.prepare(`INSERT INTO search_index (search_index, rank) VALUES ('merge', ?)`);
      const { meta } = await merge.bind(pages).run();
      // A statement that finds nothing to merge counts as one change.
      if (meta.changes < 2) break;
    }
}
