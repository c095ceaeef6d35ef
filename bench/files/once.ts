import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import ExcelJs from 'exceljs';
import { parquetRead } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { cellOf, type Table } from '../../domain/scans/rows.ts';
import { exportStream } from '../../worker/files/export.ts';
import { openSnapshot, ROWS_PER_GROUP, readSnapshot, writeSnapshot } from '../../worker/files/parquet.ts';
import { contentOf, unzip } from '../../worker/files/zip.ts';
import { openInstalled } from '../duckdb.ts';
import { doOnce, peerIn } from '../peers.ts';
import { COLUMNS, columns, META, makeTable } from './table.ts';

/** Writes a table by exceljs' streaming writer, with the same rows, header and number formats but no second sheet. */
async function streamedByExceljs(table: Table): Promise<void> {
  const stream = createWriteStream('/dev/null');
  const book = new ExcelJs.stream.xlsx.WorkbookWriter({ stream, useStyles: true, useSharedStrings: false });
  const sheet = book.addWorksheet('Kingdom 3584', { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.columns = columns.map(({ key, title, type }) => ({
    header: title,
    key,
    width: 15,
    style: type === 'text' ? {} : { numFmt: '#,##0' },
  }));
  for (let row = 0; row < table.count; row++)
    sheet.addRow(columns.map((column) => cellOf(table, column, row))).commit();
  sheet.commit();
  const closed = once(stream, 'close');
  await book.commit();
  await closed;
}

/** Makes or reads a file of `rows` rows by one of the jobs, in a process of its own, and prints the processor time. */

const [name = '', folder = '', rows = ''] = process.argv.slice(2);

/** The same settings as ours. */
const [GZIP, DEFLATE] = [{ level: 1 }, { level: 1, windowBits: 13, finishFlush: constants.Z_SYNC_FLUSH }];
const PIECE_BYTES = 512 * 1024;
const WRITTEN = join(folder, `written-${process.pid}.parquet`);

const table = makeTable(Number(rows));
/** The snapshot's own file, which all readers read. */
const stored = () => readFileSync(join(folder, 'snapshot.parquet'));

async function drained(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

const workbook = async (): Promise<Uint8Array> =>
  drained(await exportStream('xlsx', [{ open: () => openSnapshot(stored()) }]));

/** Returns each column of each row group uncompressed, as Parquet stores it. */
function pages(): Uint8Array[] {
  const groups = Array.from({ length: Math.ceil(table.count / ROWS_PER_GROUP) }, (_, group) => group * ROWS_PER_GROUP);
  return COLUMNS.flatMap((key) =>
    groups.map((from) => {
      const texts = table.texts[key]?.slice(from, from + ROWS_PER_GROUP);
      if (texts) return Buffer.from(texts.map((text) => `${text?.length}\0\0\0${text}`).join(''));
      const figures = table.numbers[key]?.subarray(from, from + ROWS_PER_GROUP) ?? [];
      return new Uint8Array(BigInt64Array.from(figures, BigInt).buffer);
    }),
  );
}

/** Opens DuckDB on one thread, with the rows in a table. */
async function loadedDuckDb() {
  const ask = await openInstalled(folder);
  await ask('SET threads = 1');
  await ask(`CREATE TABLE t AS SELECT ${COLUMNS} FROM read_parquet('${join(folder, 'snapshot.parquet')}')`);
  return ask;
}

const copyBy = (codec: string) => async () => {
  const ask = await loadedDuckDb();
  const options = `FORMAT parquet, COMPRESSION ${codec}, ROW_GROUP_SIZE ${ROWS_PER_GROUP}`;
  return () => ask(`COPY t TO '${WRITTEN}' (${options})`);
};

/** Prepares a job, which the returned function does. */
const JOBS: Record<string, () => Promise<() => unknown>> = {
  'Parquet out': async () => () => writeSnapshot(table, META),
  'gzip alone': async () => {
    const plain = pages();
    return () => plain.map((page) => gzipSync(page, GZIP).length);
  },
  'hyparquet-writer': async () => () =>
    parquetWriteBuffer({
      columnData: COLUMNS.map((key) => {
        const common = { name: key, nullable: true, encoding: 'PLAIN' as const };
        return table.texts[key]
          ? { ...common, type: 'STRING' as const, data: table.texts[key] ?? [] }
          : { ...common, type: 'INT64' as const, data: Array.from(table.numbers[key] ?? [], BigInt) };
      }),
      codec: 'GZIP',
      compressors: Object.fromEntries([['GZIP', (page: Uint8Array) => gzipSync(page, GZIP)]]),
      rowGroupSize: ROWS_PER_GROUP,
    }),
  'parquet-wasm, gzip': async () => {
    const { Compression, readParquet, WriterPropertiesBuilder, writeParquet } = peerIn(folder, 'parquet-wasm');
    const arrow = readParquet(stored(), { columns: COLUMNS });
    const properties = new WriterPropertiesBuilder().setCompression(Compression.GZIP).build();
    return () => writeParquet(arrow, properties).length;
  },
  'DuckDB, gzip': copyBy('gzip'),
  'DuckDB, zstd': copyBy('zstd'),
  'Parquet in': async () => {
    const file = stored();
    return () => readSnapshot(file, COLUMNS);
  },
  'gunzip alone': async () => {
    const packed = pages().map((page) => gzipSync(page, GZIP));
    return () => packed.map((page) => gunzipSync(page).length);
  },
  hyparquet: async () => {
    const bytes = stored();
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
    const compressors = Object.fromEntries([['GZIP', (page: Uint8Array) => gunzipSync(page)]]);
    return async () => {
      for (let rowStart = 0; rowStart < table.count; rowStart += ROWS_PER_GROUP)
        await parquetRead({
          file,
          columns: [...COLUMNS],
          rowStart,
          rowEnd: rowStart + ROWS_PER_GROUP,
          compressors,
          onChunk: ({ columnData }) =>
            typeof columnData[0] === 'bigint' && Float64Array.from(columnData as bigint[], Number),
        });
    };
  },
  'parquet-wasm': async () => {
    const { readParquet } = peerIn(folder, 'parquet-wasm');
    const file = stored();
    return () => readParquet(file, { columns: COLUMNS });
  },
  DuckDB: async () => {
    const ask = await loadedDuckDb();
    const file = join(folder, 'snapshot.parquet');
    return () => ask(`CREATE TABLE again AS SELECT ${COLUMNS} FROM read_parquet('${file}')`);
  },
  'xlsx out': async () => workbook,
  'deflate alone': async () => {
    const entry = unzip(await workbook()).find(({ name: path }) => path.endsWith('sheet1.xml'));
    const sheet = entry ? contentOf(entry) : new Uint8Array(0);
    return () => {
      for (let from = 0; from < sheet.length; from += PIECE_BYTES)
        deflateRawSync(sheet.subarray(from, from + PIECE_BYTES), DEFLATE);
    };
  },
  hucre: async () => {
    const { writeXlsx } = peerIn(folder, 'hucre/xlsx');
    return () => {
      const lines = Array.from({ length: table.count }, (_, row) =>
        columns.map((column) => cellOf(table, column, row)),
      );
      return writeXlsx({ sheets: [{ name: 'Kingdom 3584', rows: [columns.map(({ title }) => title), ...lines] }] });
    };
  },
  'exceljs, streaming': async () => () => streamedByExceljs(table),
};

const job = JOBS[name];
if (!job) throw new Error(`no job '${name}'`);
await doOnce(await job(), await job());
