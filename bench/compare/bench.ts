import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { duckDb } from '../duckdb.ts';
import { withFolder } from '../folder.ts';
import { ask, open, type Service } from '../hand-in/service.ts';
import { sized } from '../quick.ts';
import { type Bar, judge, milliseconds, printTable } from '../report.ts';
import { middle, type Round, timed } from '../rounds.ts';
import { build } from '../serve.ts';
import { handled } from './browser.ts';

/** Compares library scans in the service, next to DuckDB on the same Parquet files, and in a browser. */

const PORT = 9740;
/** Calls of each kind. The median is not affected by the first ones, which compile code. */
const ROUNDS = sized(15, 1);
const LARGE = sized(100_000, 10_000);
const USUAL = 5000;
/** Calls counted together, because processor time has a resolution of 10 ms. */
const CALLS = sized(20, 2);

interface Sides {
  from: string[];
  to: string[];
}

const bytesOf = async ({ url }: Service, path: string): Promise<Buffer> => {
  const response = await fetch(url + path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
};
const query = ({ from, to }: Sides): string => new URLSearchParams({ from: from.join(), to: to.join() }).toString();

async function writeFiles(service: Service, folder: string, sides: Sides): Promise<{ from: string; to: string }> {
  for (const side of ['from', 'to'] as const) {
    mkdirSync(join(folder, side), { recursive: true });
    for (const [number, id] of sides[side].entries())
      writeFileSync(join(folder, side, `${number}.parquet`), await bytesOf(service, `/bench/file?id=${id}`));
  }
  return { from: join(folder, 'from', '*.parquet'), to: join(folder, 'to', '*.parquet') };
}

const line = (what: string, { ms, processor }: Round) => ({
  comparison: what,
  time: milliseconds(ms),
  processor: milliseconds(processor),
});

/** Compares two sides of 100,000 rows in twenty kingdoms, next to DuckDB. */
async function large(service: Service, folder: string): Promise<Bar[]> {
  const sides = (await ask(service, 'fill', { rows: LARGE })) as Sides;
  const peer = await duckDb(folder, await writeFiles(service, folder, sides));
  const ours = JSON.parse((await bytesOf(service, `/bench/best?${query(sides)}`)).toString()) as number[][];
  const theirs = (await peer.ask()).map((row) => row.map(Number));
  const scores = (rows: readonly number[][]) => rows.map(([, dkp]) => dkp).join();
  if (scores(ours) !== scores(theirs)) throw new Error('the two results differ');
  const rounds = { ours: [] as Round[], duckdb: [] as Round[] };
  for (let round = 0; round < ROUNDS; round++) {
    rounds.duckdb.push(await timed(process.pid, () => peer.ask()));
    rounds.ours.push(await timed(service.pid, () => bytesOf(service, `/bench/best?${query(sides)}`)));
  }
  const [mine, duckdb] = [middle(rounds.ours), middle(rounds.duckdb)];
  printTable([line(`2 × ${LARGE}, top 50 by DKP, warm`, mine), line('DuckDB, same files, warm', duckdb)]);
  return [{ what: 'DuckDB’s time to ours, 2 × 100,000 rows', reached: duckdb.ms / mine.ms, wanted: 1 }];
}

/** Compares two sides of 5,000 rows and makes the page's whole answer. */
async function usual(service: Service): Promise<Bar[]> {
  const sides = (await ask(service, 'fill', { rows: USUAL })) as Sides;
  const path = `/bench/table?${query(sides)}`;
  await bytesOf(service, path);
  const rounds: Round[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const { ms, processor } = await timed(service.pid, async () => {
      for (let call = 0; call < CALLS; call++) await bytesOf(service, path);
    });
    rounds.push({ ms: ms / CALLS, processor: processor / CALLS });
  }
  const taken = middle(rounds);
  printTable([line(`2 × ${USUAL}, the whole answer`, taken)]);
  return [{ what: 'milliseconds of processor for 2 × 5,000 rows', reached: taken.processor, wanted: 50, below: true }];
}

export async function run(): Promise<void> {
  await build(import.meta.dirname);
  const bars = await withFolder(async (folder) => {
    const service = await open(join(folder, 'state'), PORT, 'compare');
    try {
      return [...(await usual(service)), ...(await large(service, folder))];
    } finally {
      await service.close();
    }
  });
  judge([...bars, ...(await handled(20_000, 'milliseconds to handle 20,000 rows in a browser'))]);
}
