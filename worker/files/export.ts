import type { Column } from '../../domain/games/games.ts';
import { message, type Sentence, say, sentence, words } from '../../domain/language/text.ts';
import { releaseTable } from '../../domain/release.ts';
import type { DownloadType } from '../../domain/scans/results.ts';
import { MAX_ROWS_BY_TYPE, MAX_SORTED_ROWS } from '../../domain/scans/results.ts';
import type { Table, Texts } from '../../domain/scans/rows.ts';
import { takeMemory } from '../isolate/memory.ts';
import { Bytes } from './bytes.ts';
import { csvHead, csvRows } from './csv.ts';
import { JSON_HEAD, JSON_TAIL, jsonRows } from './json.ts';
import { ROWS_PER_GROUP, type Snapshot, SnapshotWriter } from './parquet.ts';
import type { RowWriter } from './row-writer.ts';
import { type ExportOptions, sortedTables } from './sorted.ts';
import { streamOf } from './stream-of.ts';
import { keysFor, openedInTurn, type Survey, survey, surveyedSheet } from './survey.ts';
import { xlsxChunks } from './xlsx.ts';

/** An item of an order. Opened only when its rows are due, so that not all of them are in memory. */
export interface ExportPart {
  open(): Promise<Snapshot>;
}

/** An export that cannot be made, and why. */
export class ExportRefused extends Error {
  readonly sentence: Sentence;

  constructor(sentence: Sentence) {
    super(say(sentence));
    this.sentence = sentence;
  }
}

export const CONTENT_TYPE: Readonly<Record<DownloadType, string>> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  parquet: 'application/vnd.apache.parquet',
};

/** Media types of result files, except JSON, which is the envelope. */
export const FILE_MEDIA_TYPES: readonly string[] = Object.values(CONTENT_TYPE)
  .map((type) => type.split(';')[0] ?? type)
  .filter((type) => type !== 'application/json');

/**
 * Returns the rows of one or several items as a file, each in stored order (by power). Columns are those of the results
 * table, and others if some row has a value. At most one row group is in memory, unless the rows are sorted.
 * @throws ExportRefused if there are more rows than the format or an isolate can hold.
 */
export async function exportStream(
  type: DownloadType,
  parts: readonly ExportPart[],
  options: ExportOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  const surveyed = await survey(parts);
  const seen = options.titled ? inWords(surveyed) : surveyed;
  const sorts = type === 'json' && options.sort !== undefined;
  refuse(type, seen, sorts);
  const tables = sorts ? () => sortedInMemory(seen, options) : () => storedTables(seen);
  return streamOf(await chunksOf(type, seen, tables, options.titled));
}

/** Returns the titles of columns in the current language. */
const inWords = (seen: Survey): Survey => ({
  ...seen,
  columns: seen.columns.map((column) => ({ ...column, title: words(column.title) })),
});

/** Refuses more rows than a format, or a sort in memory, can hold. @throws ExportRefused. */
export function refuseRows(type: DownloadType, rows: number, sorts: boolean): void {
  const most = sorts ? MAX_SORTED_ROWS : MAX_ROWS_BY_TYPE[type];
  if (rows > most) {
    const values = { rows, most, format: type };
    throw new ExportRefused(
      sorts
        ? sentence('Too many results, not downloadable: {rows} rows, sorted {format} holds {most}.', values)
        : sentence('Too many results, not downloadable: {rows} rows, {format} holds {most}.', values),
    );
  }
}

function refuse(type: DownloadType, { rows, shapes }: Survey, sorts: boolean): void {
  refuseRows(type, rows, sorts);
  if (type === 'parquet' && shapes.length > 1)
    throw new ExportRefused({
      message: message('A Parquet file holds rows of one game and kind: download the items one by one.'),
    });
}

async function chunksOf(
  type: DownloadType,
  seen: Survey,
  tables: () => AsyncIterable<Table>,
  titled = false,
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  const { columns } = seen;
  switch (type) {
    case 'csv':
      return csvChunks(columns, tables(), titled);
    case 'json':
      return rowChunks(tables(), JSON_HEAD, jsonRows(columns), JSON_TAIL);
    case 'xlsx':
      return xlsxChunks(await surveyedSheet(seen), tables);
    case 'parquet':
      return parquetChunks(seen);
  }
}

/** From this many rows a sort waits for its memory. */
const LARGE_SORT = 20_000;

async function* sortedInMemory(seen: Survey, options: ExportOptions): AsyncGenerator<Table, void, undefined> {
  const slot = seen.rows >= LARGE_SORT ? await takeMemory('sortedCopy') : undefined;
  try {
    yield* sortedTables(seen, options);
  } finally {
    slot?.release();
  }
}

/** Yields the rows of all parts in stored order. A table is valid until the next one is requested. */
async function* storedTables({ opened, columns }: Survey): AsyncGenerator<Table, void, undefined> {
  const keys = columns.map(({ key }) => key);
  for await (const snapshot of openedInTurn(opened)) {
    for await (const table of snapshot.groups(keysFor(snapshot.meta, keys))) {
      yield table;
      releaseTable(table);
    }
  }
}

/** Returns tables as chunks of a CSV file. */
export const csvChunks = (columns: readonly Column[], tables: AsyncIterable<Table>, titled = false) =>
  rowChunks(tables, csvHead(columns, titled), csvRows(columns), new Uint8Array(0));

const CHUNK_BYTES = 256 * 1024;

/** Yields the rows of tables between a head and a tail, in chunks of bytes. */
export async function* rowChunks(tables: AsyncIterable<Table>, head: Uint8Array, rowsOf: RowWriter, tail: Uint8Array) {
  const out = new Bytes(CHUNK_BYTES + 16 * 1024);
  out.raw(head);
  let number = 0;
  for await (const table of tables) {
    const write = rowsOf(table);
    for (let row = 0; row < table.count; row++) {
      write(out, row, number++);
      if (out.length > CHUNK_BYTES) yield out.take();
    }
  }
  out.raw(tail);
  yield out.take();
}

async function* parquetChunks(seen: Survey) {
  const writer = new SnapshotWriter(seen.meta);
  for await (const group of fullGroups(seen, storedTables(seen))) {
    writer.append(group);
    yield writer.take();
  }
  yield writer.finish(
    seen.meta,
    seen.metas.map(({ meta }) => meta.kingdom_id),
  );
}

/**
 * Yields rows of one shape in tables of full row groups, because small groups cost more than their rows and their
 * footer data stays in memory. A table is valid until the next one is requested.
 */
async function* fullGroups({ columns, meta }: Survey, tables: AsyncIterable<Table>) {
  const group: Table = { game: meta.game, kind: meta.kind, count: 0, numbers: {}, texts: {} };
  for (const { key, type } of columns)
    if (type === 'text') group.texts[key] = new Array<string | null>(ROWS_PER_GROUP).fill(null);
    else group.numbers[key] = new Float64Array(ROWS_PER_GROUP);
  for await (const table of tables) {
    for (let from = 0; from < table.count; ) {
      const to = Math.min(table.count, from + ROWS_PER_GROUP - group.count);
      for (const [key, cells] of Object.entries(table.numbers))
        group.numbers[key]?.set(cells.subarray(from, to), group.count);
      for (const [key, cells] of Object.entries(table.texts)) copyTexts(cells, from, to, group.texts[key], group.count);
      group.count += to - from;
      from = to;
      if (group.count < ROWS_PER_GROUP) continue;
      yield group;
      group.count = 0;
    }
  }
  if (group.count > 0) yield group;
}

function copyTexts(texts: Texts, from: number, to: number, target: Texts | undefined, at: number): void {
  if (target) for (let row = from; row < to; row++) target[at + row - from] = texts[row] ?? null;
}
