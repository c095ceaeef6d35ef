import { execFile } from 'node:child_process';
import { get } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withFolder } from '../folder.ts';
import { forgetPeak, peak, processorTime, resident } from '../memory.ts';
import { sized } from '../quick.ts';
import { judge, mebibytes, median, milliseconds, printTable, times } from '../report.ts';
import { build, type Served, serve } from '../serve.ts';

/**
 * Measures snapshots and exports of 100,000 rows × 16 columns in workerd, next to exceljs' streaming writer on Node.
 */

const ROWS = sized(100_000, 2000);
const ROUNDS = sized(5, 1);
const PEER_ROUNDS = sized(3, 1);
const FOLDER = import.meta.dirname;

const EXPORTS = ['xlsx', 'csv', 'json'] as const;
const PARQUET = ['encode', 'encode-by-library', 'decode', 'decode-seven', 'decode-by-library'] as const;
type What = (typeof EXPORTS)[number] | (typeof PARQUET)[number];

interface Round {
  ms: number;
  /** Processor time in ms, which does not depend on the machine's other load. */
  processor: number;
}

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

async function round({ url, pid }: Served, what: What): Promise<Round> {
  const [start, before] = [performance.now(), processorTime(pid)];
  await call(url, what, true);
  return { ms: performance.now() - start, processor: processorTime(pid) - before };
}

async function peerRound(): Promise<Measured> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(FOLDER, 'exceljs-streaming.ts'), String(ROWS)]);
  return JSON.parse(stdout) as Measured;
}

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

const middle = (rounds: readonly Round[]): Round => ({
  ms: median(rounds.map(({ ms }) => ms)),
  processor: median(rounds.map(({ processor }) => processor)),
});

/** Measures warm times of several calls in turn, so that a busy phase of the machine affects all of them. */
async function timesOf<W extends What>(
  state: string,
  whats: readonly W[],
  between?: (number: number) => Promise<void>,
): Promise<Record<W, Measured>> {
  const rounds = new Map<W, Round[]>(whats.map((what) => [what, []]));
  await withServer(state, async (served) => {
    for (const what of whats) await call(served.url, what);
    for (let number = 0; number < ROUNDS; number++) {
      for (const what of whats) rounds.get(what)?.push(await round(served, what));
      await between?.(number);
    }
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

async function exports(state: string): Promise<void> {
  const peers: Measured[] = [];
  const { xlsx, csv, json } = await timesOf(state, EXPORTS, async (number) => {
    if (number < PEER_ROUNDS) peers.push(await peerRound());
  });
  const peer = { ...middle(peers), memory: median(peers.map(({ memory }) => memory)) };
  const [faster, csvFaster, jsonFaster] = [peer.ms / xlsx.ms, xlsx.ms / csv.ms, xlsx.ms / json.ms];
  printTable([
    shown('xlsx', xlsx, `${times(faster)} exceljs`),
    shown("exceljs' streaming writer, Node", peer),
    shown('csv', csv, `${times(csvFaster)} xlsx`),
    shown('json', json, `${times(jsonFaster)} xlsx`),
  ]);
  judge([
    { what: "xlsx, times as fast as exceljs' streaming writer", reached: faster, wanted: 3 },
    { what: 'xlsx, MB above idle', reached: xlsx.memory / 1e6, wanted: 64, below: true },
    { what: 'csv, times as fast as xlsx', reached: csvFaster, wanted: 3 },
    { what: 'json, times as fast as xlsx', reached: jsonFaster, wanted: 3 },
  ]);
}

async function parquet(state: string): Promise<void> {
  const measured = await timesOf(state, PARQUET);
  const { encode, decode, 'decode-seven': seven } = measured;
  const [encodeByLibrary, decodeByLibrary] = [measured['encode-by-library'], measured['decode-by-library']];
  console.log();
  printTable([
    shown('Parquet, encode', encode, `${times(encodeByLibrary.ms / encode.ms)} hyparquet-writer`),
    shown('  by hyparquet-writer alone', encodeByLibrary),
    shown('Parquet, decode from R2', decode, `${times(decodeByLibrary.ms / decode.ms)} hyparquet`),
    shown('  seven columns', seven, `${times(decode.ms / seven.ms)} all`),
    shown('  by hyparquet alone', decodeByLibrary),
  ]);
}

/** Prints times, memory and ratios. The process fails if a bar is missed. */
export async function run(): Promise<void> {
  await withFolder(async (state) => {
    await build(FOLDER);
    await withServer(state, async ({ url }) => {
      for (const what of ['store', 'store-by-library']) await call(url, what);
    });
    await exports(state);
    await parquet(state);
  });
}
