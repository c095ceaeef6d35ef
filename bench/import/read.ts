import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScanFile } from '../../scan-files/read.ts';
import { openZip } from '../../scan-files/zip.ts';
import { doOnce, peerIn } from '../peers.ts';

/** Reads `path`/file once with one of the readers, after the small `path`/warm, and prints the processor time. */

const [reader = '', peers = '', path = ''] = process.argv.slice(2);
const peer = (name: string) => peerIn(peers, name);

const LF = 0x0a;

const READERS: Record<string, (bytes: Buffer) => unknown> = {
  ours: (bytes) => readScanFile('2026-01-05.bin', bytes),
  SheetJS: (bytes) => {
    const xlsx = peer('xlsx');
    const book = xlsx.read(bytes);
    return xlsx.utils.sheet_to_json(book.Sheets[book.SheetNames[0]]).length;
  },
  papaparse: (bytes) => peer('papaparse').parse(bytes.toString(), { header: true, skipEmptyLines: true }).data.length,
  udsv: (bytes) => {
    const { inferSchema, initParser } = peer('udsv');
    const text = bytes.toString();
    return initParser(inferSchema(text)).typedArrs(text).length;
  },
  hucre: async (bytes) => (await peer('hucre/xlsx').readXlsx(bytes)).sheets[0].rows.length - 1,
  'a loop over the bytes': (bytes) => {
    let lines = 0;
    for (let at = 0; at < bytes.length; at++) if (bytes[at] === LF) lines++;
    return lines;
  },
  'unpacking alone': async (bytes) => {
    const zip = openZip(bytes);
    for (const part of ['xl/sharedStrings.xml', 'xl/worksheets/sheet1.xml'])
      for await (const _ of zip.pieces(part) ?? []);
  },
};

const read = READERS[reader];
if (!read) throw new Error(`no reader '${reader}'`);
const [warm, file] = ['warm', 'file'].map((name) => readFileSync(join(path, name))) as [Buffer, Buffer];
await doOnce(
  () => read(warm),
  () => read(file),
);
