import { capital, exact } from '../../domain/figures.ts';
import { type Column, GAMES } from '../../domain/games/games.ts';
import { listed, t, words } from '../../domain/language/text.ts';
import { layoutOf, type Shape, sameShape } from '../../domain/scans/layouts.ts';
import { addCounts, type Quality } from '../../domain/scans/quality.ts';
import { Adder, type GuardedSum, type ResultSums, topTitle } from '../../domain/scans/result-sums.ts';
import type { Snapshot, SnapshotMeta } from './parquet.ts';
import { wholeTable } from './parquet.ts';
import type { XlsxSheet } from './xlsx.ts';
import { type Summary, summaryOf } from './xlsx-template.ts';

/** What must be known of all parts before the first row is written. */
export interface Survey {
  opened: readonly (() => Promise<Snapshot>)[];
  /** The distinct shapes of the rows. */
  shapes: readonly Shape[];
  columns: readonly Column[];
  rows: number;
  /** Combined metadata: of the only part, or of the newest with the counts of all. */
  meta: SnapshotMeta;
  metas: readonly { meta: SnapshotMeta; rows: number }[];
}

/** Number of snapshots opened ahead, because R2 is slower than reading rows. More would fill the memory. */
const AHEAD = 5;

/** Opens snapshots in order, some ahead. */
export async function* openedInTurn(
  opened: readonly (() => Promise<Snapshot>)[],
): AsyncGenerator<Snapshot, void, undefined> {
  const coming: Promise<Snapshot>[] = [];
  for (let next = 0; next < opened.length || coming.length > 0; ) {
    while (next < opened.length && coming.length <= AHEAD) {
      const snapshot = (opened[next++] as () => Promise<Snapshot>)();
      // A failed open that is never awaited, because an earlier one failed, must not crash the Worker.
      snapshot.catch(() => undefined);
      coming.push(snapshot);
    }
    yield (await coming.shift()) as Snapshot;
  }
}

/** Reads the metadata of every part, no rows. */
export async function survey(parts: readonly { open(): Promise<Snapshot> }[]): Promise<Survey> {
  const metas: { meta: SnapshotMeta; rows: number }[] = [];
  const filled = new Set<string>();
  // With several parts, each is opened again when its rows are due, so that not all metadata stays in memory.
  let opened = parts.map((part) => part.open.bind(part));
  for await (const snapshot of openedInTurn(opened)) {
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

/** Returns the columns of the results table, and others if some row has a value, over all shapes. */
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

/** Returns those of the keys that a shape has, because a combined file may hold several shapes. */
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

/** Returns the workbook's frame in the current language. Reads the summed columns of all parts. */
export async function surveyedSheet({ opened, shapes, metas, columns, rows, meta }: Survey): Promise<XlsxSheet> {
  const adders = new Map(shapes.map((shape) => [layoutOf(shape), { shape, adder: new Adder() }]));
  for await (const snapshot of openedInTurn(opened)) {
    const table = await wholeTable(snapshot, keysFor(snapshot.meta, Adder.columns(snapshot.meta)));
    adders.get(layoutOf(snapshot.meta))?.adder.add(table);
  }
  const game = GAMES[meta.game];
  const kingdom = words(capital(game.kingdom.one));
  const only = metas.length === 1;
  const figures: Summary['figures'] = [
    [t('Game'), listed([...new Set(metas.map((part) => GAMES[part.meta.game].name))])],
    only ? [kingdom, String(meta.kingdom_id)] : [words(capital(game.kingdom.many)), metas.length],
    [only ? t('Scanned at') : t('Newest scan at'), new Date(meta.captured_at)],
    [t('Rows'), rows],
    ...[...adders.values()].flatMap(({ shape, adder }) => sumFigures(shape, adder.finish(), shapes.length > 1)),
  ];
  return {
    title: only ? `${kingdom} ${meta.kingdom_id}` : t('Results'),
    columns,
    rows,
    summary: summaryOf({
      figures,
      quality: meta.quality,
      nouns: { kingdom, governors: words(capital(game.governor.many)) },
      kingdoms: metas.map((part) => ({ ...part.meta, rows: part.rows })),
    }),
  };
}

/** Returns the sums that pages show for the same rows and, if rows were left out, the sums including them. */
function sumFigures(shape: Shape, sums: ResultSums, several: boolean): Summary['figures'] {
  const { score, short } = GAMES[shape.game];
  const note = `${short} ${words(layoutOf(shape).row.many)}`;
  const total = (figure: string) => t('Total {figure}', { figure: words(figure) });
  // For translators: the sum of a figure over the strongest, such as 'Top 100 Power'.
  const topPower = (most: number) => t('{top} {figure}', { top: topTitle(most, sums.count), figure: t('Power') });
  const named: [string, GuardedSum][] = [
    [total('Power'), sums.power],
    [topPower(100), sums.top100],
    [topPower(350), sums.top350],
    [total(score), sums.score],
    [total('Deads'), sums.deads],
    [t('T4 and T5 kills'), sums.high_tier_kills],
  ];
  return named.flatMap(([title, { value, raw, left_out }]) => {
    const label = several ? t('{name} ({note})', { name: title, note }) : title;
    const figure: Summary['figures'][number] = [label, value ?? '?'];
    return left_out === 0
      ? [figure]
      : [figure, [t('{label}, with {count} in doubt', { label, count: exact(left_out) }), raw ?? '?']];
  });
}
