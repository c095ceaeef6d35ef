import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withFolder } from '../folder.ts';
import { sized } from '../quick.ts';
import { judge, median, milliseconds, printTable } from '../report.ts';
import { csvOf, xlsxOf } from './files.ts';
import { measureHostile } from './hostile.ts';
import { measureUploads } from './uploads.ts';

/** Measures the importer's reader next to other readers and the bare work, each in a process of its own. */

const ROUNDS = sized(5, 1);
const PEERS = ['xlsx@0.18.5', 'hucre@1.0.0', 'papaparse@5.5.3', 'udsv@0.7.3'];
const XLSX = ['sheetjs', 'hucre', 'unpacking alone'];
const CSV = ['papaparse', 'udsv', 'a loop over the bytes'];
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
    const files: Record<string, { file: Buffer; warm: Buffer; others: string[]; heap?: number }> = {
      'xlsx, 200 rows': { file: await xlsxOf(200), warm: await xlsxOf(50), others: XLSX },
      'xlsx, 20,000 rows': { file: await xlsxOf(20_000), warm: await xlsxOf(50), others: XLSX, heap: HEAP },
      'csv, 100,000 rows': { file: csvOf(100_000), warm: csvOf(50), others: CSV },
    };
    const taken: Record<string, Taken[]> = {};
    for (const [what, { file, warm, others, heap }] of Object.entries(files)) {
      const at = join(folder, what.replace(/\W+/g, '-'));
      mkdirSync(at);
      writeFileSync(join(at, 'file'), file);
      writeFileSync(join(at, 'warm'), warm);
      const rounds = [[], ...others.map(() => [])] as Taken[][];
      for (let round = 0; round < ROUNDS; round++)
        for (const [place, reader] of ['ours', ...others].entries())
          rounds[place]?.push(await once(reader, join(at, 'file'), folder, place === 0 ? heap : undefined));
      taken[what] = rounds.map(middle);
    }
    printTable(
      Object.entries(taken).flatMap(([what, all]) =>
        all.map(({ rows, ms, processor }, place) => ({
          '': `${what}: ${['ours', ...(files[what]?.others ?? [])][place]}`,
          rows: rows > 0 ? String(rows) : '',
          time: milliseconds(ms),
          processor: milliseconds(processor),
        })),
      ),
    );
    const [small, large, csv] = Object.values(taken);
    const ratio = (all: readonly Taken[] | undefined, peer: number) =>
      (all?.[peer]?.processor ?? Number.NaN) / (all?.[0]?.processor ?? 1);
    judge([
      { what: 'a workbook of 200 rows, ms', reached: small?.[0]?.ms ?? Number.NaN, wanted: 300, below: true },
      { what: `SheetJS’ work to ours at 20,000 rows, in a heap of ${HEAP} MB`, reached: ratio(large, 1), wanted: 3 },
      { what: 'hucre’s work to ours', reached: ratio(large, 2), wanted: 1 },
      { what: '100,000 rows of csv, ms', reached: csv?.[0]?.ms ?? Number.NaN, wanted: 1500, below: true },
      { what: 'papaparse’s work to ours', reached: ratio(csv, 1), wanted: 1 },
    ]);
  });
  await measureHostile();
  await measureUploads();
}
