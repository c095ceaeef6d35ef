import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readScanFile } from '../../scan-files/read.ts';

/** Reads a file once with one of the readers, in a process of its own, and prints the cost as JSON. */

const [reader = '', path = '', peers = ''] = process.argv.slice(2);
const peer = (name: string) => createRequire(join(peers, 'package.json'))(name);

const READERS: Record<string, (bytes: Buffer) => Promise<number>> = {
  ours: async (bytes) => (await readScanFile('2026-01-05.bin', bytes)).lines.kept,
  sheetjs: async (bytes) => {
    const xlsx = peer('xlsx');
    const book = xlsx.read(bytes);
    return xlsx.utils.sheet_to_json(book.Sheets[book.SheetNames[0]]).length;
  },
  papaparse: async (bytes) =>
    peer('papaparse').parse(bytes.toString(), { header: true, skipEmptyLines: true }).data.length,
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
