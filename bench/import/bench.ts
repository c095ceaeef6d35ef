import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withFolder } from '../folder.ts';
import { judge, median, milliseconds, printTable } from '../report.ts';
import { csvOf, xlsxOf } from './files.ts';
import { measureHostile } from './hostile.ts';
import { measureUploads } from './uploads.ts';

/** Measures the importer's reader next to SheetJS and papaparse, each in a process of its own. */

const ROUNDS = 5;
const PEERS = ['xlsx@0.18.5', 'papaparse@5.5.3'];
/** Heap limit of the reader for the large workbook, in MB. */
const HEAP = 96;

const run = promisify(execFile);

interface Taken {
  rows: number;
  ms: number;
  processor: number;
}

async function once(reader: string, path: string, peers: string, heap?: number): Promise<Taken> {
  const limits = heap ? [`--max-old-space-size=${heap}`] : [];
  const { stdout } = await run(process.execPath, [
    ...limits,
    join(import.meta.dirname, 'read.ts'),
    reader,
    path,
    peers,
  ]);
  return JSON.parse(stdout) as Taken;
}

const middle = (rounds: readonly Taken[]): Taken => ({
  rows: rounds[0]?.rows ?? 0,
  ms: median(rounds.map(({ ms }) => ms)),
  processor: median(rounds.map(({ processor }) => processor)),
});

/** Measures the readers in turn, prints the results and judges the bars. */
export async function measure(): Promise<void> {
  await withFolder(async (folder) => {
    await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', ...PEERS]);
    const files = {
      'xlsx, 200 rows': { file: await xlsxOf(200), peer: 'sheetjs', heap: undefined },
      'xlsx, 20,000 rows': { file: await xlsxOf(20_000), peer: 'sheetjs', heap: HEAP },
      'csv, 100,000 rows': { file: csvOf(100_000), peer: 'papaparse', heap: undefined },
    };
    const taken: Record<string, { ours: Taken; peer: Taken }> = {};
    for (const [what, { file, peer, heap }] of Object.entries(files)) {
      const at = join(folder, what.replace(/\W+/g, '-'));
      mkdirSync(at);
      writeFileSync(join(at, 'file'), file);
      writeFileSync(join(at, 'warm'), what.startsWith('csv') ? csvOf(50) : await xlsxOf(50));
      const rounds = { ours: [] as Taken[], peer: [] as Taken[] };
      for (let round = 0; round < ROUNDS; round++) {
        rounds.ours.push(await once('ours', join(at, 'file'), folder, heap));
        rounds.peer.push(await once(peer, join(at, 'file'), folder));
      }
      taken[what] = { ours: middle(rounds.ours), peer: middle(rounds.peer) };
    }
    printTable(
      Object.entries(taken).flatMap(([what, { ours, peer }]) => [
        {
          '': `${what}: ours`,
          rows: String(ours.rows),
          time: milliseconds(ours.ms),
          processor: milliseconds(ours.processor),
        },
        {
          '': `${what}: ${files[what as keyof typeof files].peer}`,
          rows: String(peer.rows),
          time: milliseconds(peer.ms),
          processor: milliseconds(peer.processor),
        },
      ]),
    );
    const [small, large, csv] = Object.values(taken);
    judge([
      { what: 'a workbook of 200 rows, ms', reached: small?.ours.ms ?? Number.NaN, wanted: 300, below: true },
      {
        what: `SheetJS’ time to ours at 20,000 rows, in a heap of ${HEAP} MB`,
        reached: (large?.peer.ms ?? Number.NaN) / (large?.ours.ms ?? 1),
        wanted: 3,
      },
      { what: '100,000 rows of csv, ms', reached: csv?.ours.ms ?? Number.NaN, wanted: 1500, below: true },
      { what: 'papaparse’s time to ours', reached: (csv?.peer.ms ?? Number.NaN) / (csv?.ours.ms ?? 1), wanted: 1 },
    ]);
  });
  await measureHostile();
  await measureUploads();
}
