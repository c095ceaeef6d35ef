import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readScanFile } from '../../scan-files/read.ts';
import { openZip } from '../../scan-files/zip.ts';

/** Reads a file once with one of the readers, in a process of its own, and prints the cost as JSON. */

const [reader = '', path = '', peers = ''] = process.argv.slice(2);
const peer = (name: string) => createRequire(join(peers, 'package.json'))(name);

const LF = 0x0a;

const READERS: Record<string, (bytes: Buffer) => Promise<number>> = {
  ours: async (bytes) => (await readScanFile('2026-01-05.bin', bytes)).lines.kept,
  sheetjs: async (bytes) => {
    const xlsx = peer('xlsx');
    const book = xlsx.read(bytes);
    return xlsx.utils.sheet_to_json(book.Sheets[book.SheetNames[0]]).length;
  },
  papaparse: async (bytes) =>
    peer('papaparse').parse(bytes.toString(), { header: true, skipEmptyLines: true }).data.length,
  udsv: async (bytes) => {
    const { inferSchema, initParser } = peer('udsv');
    const text = bytes.toString();
    return initParser(inferSchema(text)).typedArrs(text).length;
  },
  hucre: async (bytes) => (await peer('hucre/xlsx').readXlsx(bytes)).sheets[0].rows.length - 1,
  // The work without which neither can be read.
  'a loop over the bytes': async (bytes) => {
    let lines = 0;
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF) lines++;
    return lines - 1;
  },
  'unpacking alone': async (bytes) => {
    const zip = openZip(bytes);
    for (const part of ['xl/sharedStrings.xml', 'xl/worksheets/sheet1.xml'])
      for await (const _ of zip.pieces(part) ?? []);
    return 0;
  },
};

const read = READERS[reader];
if (!read) throw new Error(`no reader '${reader}'`);
const bytes = readFileSync(path);
// Loads lazy modules before the measurement starts.
await read(readFileSync(join(path, '..', 'warm')));
const [start, processor] = [performance.now(), process.cpuUsage()];
const rows = await read(bytes);
const used = process.cpuUsage(processor);
console.log(JSON.stringify({ rows, ms: performance.now() - start, processor: (used.user + used.system) / 1000 }));
