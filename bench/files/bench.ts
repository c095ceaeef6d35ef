import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { writeSnapshot } from '../../worker/files/parquet.ts';
import { withFolder } from '../folder.ts';
import { forgetPeak, peak, resident } from '../memory.ts';
import { compare, installPeers, type Work } from '../peers.ts';
import { sized } from '../quick.ts';
import { judge, mebibytes, milliseconds, printTable, times } from '../report.ts';
import { middle, type Round, timed } from '../rounds.ts';
import { build, type Served, serve } from '../serve.ts';
import { META, makeTable } from './table.ts';

/**
 * Measures snapshots and exports of 100,000 rows × 16 columns: in workerd, and on Node next to other programs and the
 * bare work.
 */

const ROWS = sized(100_000, 2000);
const ROUNDS = sized(5, 1);
const FOLDER = import.meta.dirname;

const EXPORTS = ['xlsx', 'csv', 'json'] as const;
const PARQUET = ['encode', 'decode', 'decode-seven'] as const;
type What = (typeof EXPORTS)[number] | (typeof PARQUET)[number];

interface Measured extends Round {
  /** Bytes above idle. */
  memory: number;
}

/** Requests a file and reads it to its end, or has the Worker read it (`drain`). */
const call = (url: string, what: string, drain = false): Promise<void> =>
  new Promise((resolve, reject) => {
    get(`${url}/${what}?rows=${ROWS}${drain ? '&drain' : ''}`, (response) => {
      response.on('data', () => {});
      response.on('error', reject);
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${what}: ${response.statusCode}`)),
      );
    }).on('error', reject);
  });

async function withServer<T>(state: string, use: (served: Served) => Promise<T>): Promise<T> {
  const served = await serve(FOLDER, state);
  try {
    return await use(served);
  } finally {
    await served.close();
  }
}

/** Returns the peak memory above idle of the first call in a new workerd. */
const memoryOf = (state: string, what: What): Promise<number> =>
  withServer(state, async ({ url, pid }) => {
    await call(url, what.startsWith('encode') ? 'rows' : 'idle');
    const idle = resident(pid);
    forgetPeak(pid);
    await call(url, what);
    return peak(pid) - idle;
  });

/** Measures warm times of several calls in turn, so that a busy phase of the machine affects all of them. */
async function timesOf<W extends What>(state: string, whats: readonly W[]): Promise<Record<W, Measured>> {
  const rounds = new Map<W, Round[]>(whats.map((what) => [what, []]));
  await withServer(state, async ({ url, pid }) => {
    for (const what of whats) await call(url, what);
    for (let number = 0; number < ROUNDS; number++)
      for (const what of whats) rounds.get(what)?.push(await timed(pid, () => call(url, what, true)));
  });
  const measured = {} as Record<W, Measured>;
  for (const [what, all] of rounds) measured[what] = { ...middle(all), memory: await memoryOf(state, what) };
  return measured;
}

const shown = (name: string, { ms, processor, memory }: Measured, ratio = '') => ({
  [`${ROWS.toLocaleString('en-US')} rows × 16`]: name,
  time: milliseconds(ms),
  processor: milliseconds(processor),
  'memory above idle': mebibytes(memory),
  ratio,
});

async function inWorkerd(state: string): Promise<void> {
  await withServer(state, ({ url }) => call(url, 'store'));
  const { xlsx, csv, json, encode, decode, 'decode-seven': seven } = await timesOf(state, [...EXPORTS, ...PARQUET]);
  const [csvFaster, jsonFaster] = [xlsx.ms / csv.ms, xlsx.ms / json.ms];
  printTable([
    shown('xlsx', xlsx),
    shown('csv', csv, `${times(csvFaster)} xlsx`),
    shown('json', json, `${times(jsonFaster)} xlsx`),
    shown('Parquet, encode', encode),
    shown('Parquet, decode from R2', decode),
    shown('  seven columns', seven, `${times(decode.ms / seven.ms)} all`),
  ]);
  judge([
    { what: 'xlsx, MB above idle', reached: xlsx.memory / 1e6, wanted: 64, below: true },
    { what: 'csv, times as fast as xlsx', reached: csvFaster, wanted: 3 },
    { what: 'json, times as fast as xlsx', reached: jsonFaster, wanted: 3 },
  ]);
}

/** Our jobs and those of the peers (`once.ts`). */
const WORKS: readonly Work[] = [
  {
    what: 'Parquet out',
    ours: 'Parquet out',
    bare: 'gzip alone',
    peers: ['DuckDB, gzip', 'DuckDB, zstd', 'parquet-wasm, gzip', 'hyparquet-writer'],
    goals: { 'parquet-wasm, gzip': 2.5 },
  },
  {
    what: 'Parquet in',
    ours: 'Parquet in',
    bare: 'gunzip alone',
    peers: ['DuckDB', 'parquet-wasm', 'hyparquet'],
    // DuckDB gains as much as we do if a file can be read without unpacking.
    goals: { 'gunzip alone': 0.57 },
  },
  {
    what: 'xlsx out',
    ours: 'xlsx out',
    bare: 'deflate alone',
    peers: ['hucre', 'exceljs, streaming'],
    goals: { hucre: 5.2, 'exceljs, streaming': 9.2 },
  },
];

async function nextToPeers(folder: string): Promise<void> {
  await installPeers(folder);
  writeFileSync(join(folder, 'snapshot.parquet'), writeSnapshot(makeTable(ROWS), META));
  judge(await compare(WORKS, join(FOLDER, 'once.ts'), [folder, String(ROWS)]));
}

/** Prints times, memory and ratios. The process fails if a bar is missed. */
export async function run(): Promise<void> {
  await build(FOLDER);
  await withFolder(inWorkerd);
  await withFolder(nextToPeers);
}
