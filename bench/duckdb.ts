import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs the same differences in DuckDB, on the same Parquet files. */

/** Installed into the benchmark's own folder at run time, because nothing else needs it. */
const DUCKDB = '@duckdb/node-api@1.5.6-r.1';

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

export interface Peer {
  ask(): Promise<unknown[][]>;
}

/** Opens DuckDB on the snapshots' own files, in this process, with its default number of threads. */
export async function duckDb(folder: string, files: { from: string; to: string }): Promise<Peer> {
  await promisify(execFile)('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', DUCKDB]);
  const { DuckDBInstance } = createRequire(join(folder, 'package.json'))('@duckdb/node-api') as {
    DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> };
  };
  interface Connection {
    runAndReadAll(sql: string): Promise<{ getRows(): unknown[][] }>;
  }
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const sql = sqlOf(files.from, files.to);
  return { ask: async () => (await connection.runAndReadAll(sql)).getRows() };
}
