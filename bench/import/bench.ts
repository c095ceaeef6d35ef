import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolder } from '../folder.ts';
import { compare, installPeers, type Work } from '../peers.ts';
import { sized } from '../quick.ts';
import { type Bar, judge } from '../report.ts';
import { csvOf, xlsxOf } from './files.ts';
import { measureHostile } from './hostile.ts';
import { measureUploads } from './uploads.ts';

/** Measures the importer's reader next to other readers, which parse only, and next to the bare work. */

const READER = join(import.meta.dirname, 'read.ts');
/** Heap limit of the reader for the large workbook, in MB. */
const HEAP = 96;
const XLSX = { ours: 'ours', bare: 'unpacking alone', peers: ['hucre', 'SheetJS'] };

interface Reading extends Work {
  file: Buffer;
  /** A small file of the same kind. */
  warm: Buffer;
}

async function readings(): Promise<Reading[]> {
  const [rowsOfXlsx, rowsOfCsv] = [sized(20_000, 1000), sized(100_000, 2000)];
  const warm = await xlsxOf(50);
  return [
    { ...XLSX, what: 'xlsx in, 200 rows', goals: { hucre: 1 }, file: await xlsxOf(200), warm },
    {
      ...XLSX,
      what: `xlsx in, ${rowsOfXlsx} rows in a heap of ${HEAP} MB`,
      goals: { hucre: 2.9, SheetJS: 8.7 },
      heap: HEAP,
      file: await xlsxOf(rowsOfXlsx),
      warm,
    },
    {
      what: `csv in, ${rowsOfCsv} rows`,
      ours: 'ours',
      bare: 'a loop over the bytes',
      peers: ['udsv', 'papaparse'],
      goals: { udsv: 1, papaparse: 1.9 },
      file: csvOf(rowsOfCsv),
      warm: csvOf(50),
    },
  ];
}

/** Measures the readers in turn, prints the results and judges the bars. */
export async function measure(): Promise<void> {
  await withFolder(async (folder) => {
    await installPeers(folder);
    const bars: Bar[] = [];
    for (const [index, { file, warm, ...work }] of (await readings()).entries()) {
      const at = join(folder, String(index));
      mkdirSync(at);
      writeFileSync(join(at, 'file'), file);
      writeFileSync(join(at, 'warm'), warm);
      bars.push(...(await compare([work], READER, [folder, at])));
    }
    judge(bars);
  });
  await measureHostile();
  await measureUploads();
}
