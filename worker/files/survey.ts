import { type Column, GAMES, type GameId } from '../../domain/games/games.ts';
import { layoutOf, type Shape, sameShape } from '../../domain/scans/layouts.ts';
import { addCounts, type Quality } from '../../domain/scans/quality.ts';
import { lastDay, type Table } from '../../domain/scans/rows.ts';
import { totalsOf } from '../../domain/scans/totals.ts';
import type { Snapshot, SnapshotMeta } from './parquet.ts';
import { wholeTable } from './parquet.ts';
import { blankUnread } from './unread.ts';
import type { Sheet } from './xlsx.ts';
import type { Summary } from './xlsx-template.ts';

/** What has to be known of all parts before the first row is written. */
export interface Survey {
  opened: readonly (() => Promise<Snapshot>)[];
  /** The shapes that rows come in, each once. */
  shapes: readonly Shape[];
  columns: readonly Column[];
  rows: number;
  /** Metadata of all rows together: of the one part, or of the newest with the counts of all. */
  meta: SnapshotMeta;
  metas: readonly { meta: SnapshotMeta; rows: number }[];
}

/** The store answers slower than rows are read, so some are asked for ahead; no more, or they fill the memory. */
const AHEAD = 5;

/** Snapshots opened one after the other. */
export async function* inTurn(opened: readonly (() => Promise<Snapshot>)[]): AsyncGenerator<Snapshot, void, undefined> {
  const coming: Promise<Snapshot>[] = [];
  for (let next = 0; next < opened.length || coming.length > 0; ) {
    while (next < opened.length && coming.length <= AHEAD) {
      const snapshot = (opened[next++] as () => Promise<Snapshot>)();
      // One that nobody comes to wait for, because an earlier one failed, must not end the Worker.
      snapshot.catch(() => undefined);
      coming.push(snapshot);
    }
    yield (await coming.shift()) as Snapshot;
  }
}

/** Looks through the metadata of every part; no row is read. */
export async function survey(parts: readonly { open(): Promise<Snapshot> }[]): Promise<Survey> {
  const metas: { meta: SnapshotMeta; rows: number }[] = [];
  const filled = new Set<string>();
  // Many are opened again when their rows are due, so that not all of their metadata is held meanwhile.
  let opened = parts.map((part) => part.open.bind(part));
  for await (const snapshot of inTurn(opened)) {
    metas.push({ meta: snapshot.meta, rows: snapshot.count });
    for (const key of snapshot.filled) filled.add(key);
    if (parts.length === 1) opened = [async () => snapshot];
  }
  const shapes: Shape[] = [];
  for (const { meta } of metas) if (!shapes.some((shape) => sameShape(shape, meta))) shapes.push(meta);
  const columns = unionOf(shapes, filled);
  const rows = metas.reduce((sum, part) => sum + part.rows, 0);
  const meta = joined(metas);
  return { opened, shapes, columns, rows, meta, metas };
}

const summedColumns = (game: GameId): string[] => {
  const { power, score, deads, hall, highestPower } = GAMES[game].roles;
  return [power, score, deads, hall, highestPower];
};

/** Columns of the results table always, the others where some row has a value; of all shapes that are there. */
function unionOf(shapes: readonly Shape[], filled: ReadonlySet<string>): Column[] {
  const columns = new Map<string, Column>();
  for (const shape of shapes) {
    const { lead, columns: all } = layoutOf(shape);
    for (const column of all)
      if ((lead.includes(column.key) || filled.has(column.key)) && !columns.has(column.key))
        columns.set(column.key, column);
  }
  return [...columns.values()];
}

/** Those of the keys that rows of a shape have: a combined file may hold several shapes. */
export function keysFor(shape: Shape, keys: readonly string[]): string[] {
  const own = new Set(layoutOf(shape).columns.map(({ key }) => key));
  return keys.filter((key) => own.has(key));
}

function joined(metas: readonly { meta: SnapshotMeta }[]): SnapshotMeta {
  const [first, ...others] = metas.map(({ meta }) => meta);
  if (!first) throw new Error('an export needs a snapshot');
  const quality: Partial<Record<Quality, number>> = {};
  for (const { meta } of metas) addCounts(quality, meta.quality);
  const newest = others.reduce((best, meta) => (meta.captured_at > best.captured_at ? meta : best), first);
  return { ...newest, quality };
}

/** The workbook's frame: reads the columns that add up, of all parts. */
export async function sheetOf({ opened, metas, columns, rows, meta }: Survey): Promise<Sheet> {
  const sums: Table[] = [];
  for await (const snapshot of inTurn(opened)) {
    const { day } = layoutOf(snapshot.meta);
    const wanted = [...summedColumns(snapshot.meta.game), ...(day ? [day] : [])];
    sums.push(lastDay(blankUnread(await wholeTable(snapshot, keysFor(snapshot.meta, wanted)))));
  }
  const game = GAMES[meta.game];
  const kingdom = capital(game.kingdom.one);
  const only = metas.length === 1;
  const figures: Summary['figures'] = [
    ['Game', [...new Set(metas.map((part) => GAMES[part.meta.game].name))].join(', ')],
    only ? [kingdom, String(meta.kingdom_id)] : [capital(game.kingdom.many), metas.length],
    [only ? 'Scanned at' : 'Newest scan at', new Date(meta.captured_at)],
    ['Rows', rows],
    ...totalFigures(together(meta.game, sums)),
  ];
  return {
    title: only ? `${kingdom} ${meta.kingdom_id}` : 'Results',
    columns,
    rows,
    summary: {
      figures,
      quality: meta.quality,
      nouns: { kingdom, governors: capital(game.governor.many) },
      kingdoms: metas.map((part) => ({ ...part.meta, rows: part.rows })),
    },
  };
}

function totalFigures(table: Table): Summary['figures'] {
  const { score } = GAMES[table.game];
  const totals = totalsOf(table);
  return [
    ['Total Power', totals.power.total],
    ['Top 100 Power', totals.power.top100],
    ['Top 350 Power', totals.power.top350],
    [`Total ${score}`, totals.score.total],
    ['Total Deads', totals.deads.total],
  ];
}

/** The summed columns of all parts under one another, by the names that the first game gives them. */
function together(game: GameId, tables: readonly Table[]): Table {
  const count = tables.reduce((sum, table) => sum + table.count, 0);
  const whole: Table = { game, count, numbers: {}, texts: {} };
  summedColumns(game).forEach((key, role) => {
    const numbers = new Float64Array(count).fill(Number.NaN);
    let at = 0;
    for (const table of tables) {
      const own = summedColumns(table.game)[role] ?? '';
      numbers.set(table.numbers[own] ?? [], at);
      at += table.count;
    }
    whole.numbers[key] = numbers;
  });
  return whole;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
