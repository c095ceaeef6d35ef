import type { Column } from '../../domain/games/games.ts';
import type { ScanFileType } from '../../domain/scans/files.ts';
import { type ForeignDialect, foreignPlan, foreignTable } from '../../domain/scans/foreign.ts';
import { layoutOf } from '../../domain/scans/layouts.ts';
import type { Table } from '../../domain/scans/rows.ts';
import { utf8 } from './bytes.ts';
import { csvHead, csvRows } from './csv.ts';
import { rowChunks } from './export.ts';
import { jsonLineRows, jsonRows } from './json.ts';
import { type Snapshot, SnapshotWriter, wholeTable } from './parquet.ts';
import { streamOf } from './stream-of.ts';
import { survey, surveyedSheet } from './survey.ts';
import { xlsxChunks } from './xlsx.ts';

const NOTHING = new Uint8Array(0);

/** Returns a Rise of Kingdoms scan in another tool's columns. At most one row group is in memory. */
export async function foreignStream(
  snapshot: Snapshot,
  type: ScanFileType,
  dialect: ForeignDialect,
): Promise<ReadableStream<Uint8Array>> {
  const own = layoutOf(snapshot.meta).columns.filter(({ ours }) => !ours);
  const texts = await wholeTable(
    snapshot,
    own.filter((column) => column.type === 'text').map(({ key }) => key),
  );
  const plan = foreignPlan(dialect, snapshot.filled, texts, type === 'csv');
  const keys = own.map(({ key }) => key);
  async function* tables() {
    for await (const table of snapshot.groups(keys)) yield foreignTable(plan, table);
  }
  if (type === 'xlsx') return streamOf(await workbook(snapshot, dialect, plan.columns, tables));
  if (type === 'parquet') return streamOf(parquetChunks(snapshot, plan.columns, tables()));
  return streamOf(textRows(type, plan.columns, tables()));
}

/** Returns rows as JSON Lines in our own columns. */
export async function jsonLines(snapshot: Snapshot): Promise<ReadableStream<Uint8Array>> {
  const { columns } = await survey([{ open: async () => snapshot }]);
  const shown = columns.filter(({ key }) => layoutOf(snapshot.meta).columns.some((column) => column.key === key));
  return streamOf(textRows('jsonl', shown, snapshot.groups(shown.map(({ key }) => key))));
}

function textRows(type: 'csv' | 'json' | 'jsonl', columns: readonly Column[], tables: AsyncIterable<Table>) {
  if (type === 'csv') return rowChunks(tables, csvHead(columns), csvRows(columns), NOTHING);
  if (type === 'jsonl') return rowChunks(tables, NOTHING, jsonLineRows(columns), NOTHING);
  return rowChunks(tables, utf8('['), jsonRows(columns), utf8('\n]\n'));
}

async function* parquetChunks({ meta }: Snapshot, columns: readonly Column[], tables: AsyncIterable<Table>) {
  const writer = new SnapshotWriter(meta, columns);
  for await (const table of tables) {
    writer.append(table);
    yield writer.take();
  }
  yield writer.finish(meta);
}

/** Hero Scrolls names the sheet after the kingdom, RokTracker after the day. */
async function workbook(
  snapshot: Snapshot,
  dialect: ForeignDialect,
  columns: readonly Column[],
  tables: () => AsyncIterable<Table>,
) {
  const { kingdom_id, captured_at } = snapshot.meta;
  const title = dialect === 'hero-scrolls' ? String(kingdom_id) : new Date(captured_at).toISOString().slice(0, 10);
  const sheet = await surveyedSheet(await survey([{ open: async () => snapshot }]));
  return xlsxChunks({ ...sheet, title, columns }, tables);
}
