import { installPeers, peerIn } from './peers.ts';

/** DuckDB as a second opinion: the same questions on the same Parquet files. */

/** Returns the difference in SQL: gains by governor without doubtful pairs, the first fifty. */
const sqlOf = (from: string, to: string): string => {
  const tiers = [1, 2, 3, 4, 5].map((tier) => `killcount_t${tier}`);
  const none = (side: string) => tiers.map((tier) => `${side}.${tier}`).join(' + ');
  return `
    SELECT a.governor_id, 10 * (b.killcount_t4 - a.killcount_t4) + 20 * (b.killcount_t5 - a.killcount_t5) AS dkp
    FROM read_parquet('${from}') a JOIN read_parquet('${to}') b USING (governor_id)
    WHERE NOT (${tiers.map((tier) => `b.${tier} < a.${tier}`).join(' OR ')})
      AND ((${none('a')}) = 0) = ((${none('b')}) = 0)
    ORDER BY dkp DESC, a.governor_id LIMIT 50`;
};

/** Returns all rows of a query. */
export type Ask = (sql: string) => Promise<unknown[][]>;

interface Connection {
  runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
}

/** Installs DuckDB into a folder and opens an empty database in this process, with its default number of threads. */
export async function openDuckDb(folder: string): Promise<Ask> {
  await installPeers(folder, ['@duckdb/node-api']);
  return openInstalled(folder);
}

/** Opens an empty database of the DuckDB in a folder. */
export async function openInstalled(folder: string): Promise<Ask> {
  const { DuckDBInstance } = peerIn(folder, '@duckdb/node-api') as {
    DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> };
  };
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  return async (sql) => (await connection.runAndReadAll(sql)).getRows();
}

export interface Peer {
  ask(): Promise<unknown[][]>;
}

/** Opens DuckDB on the snapshots' own files. */
export async function duckDb(folder: string, files: { from: string; to: string }): Promise<Peer> {
  const ask = await openDuckDb(folder);
  const sql = sqlOf(files.from, files.to);
  return { ask: () => ask(sql) };
}
