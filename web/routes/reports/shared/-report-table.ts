import type { GameId } from '../../../../domain/games/game-names.ts';
import { message, t, words } from '../../../../domain/language/text.ts';
import type { SharedReport } from '../../../api/compare-reports.ts';
import { RowIndex } from '../../../table/row-index.ts';

type Table = Pick<SharedReport, 'columns' | 'rows'>;

/** Builds the report's search and sort index. */
export function reportIndex({ columns, rows }: Table): RowIndex {
  const places = columns.flatMap(({ key, type }, place) => (type === 'text' || key === 'id' ? [place] : []));
  const text = (row: number) => places.map((place) => rows[row]?.[place] ?? '').join(' ');
  const words = columns.flatMap(({ key, type }, place) =>
    type === 'text' ? [[key, (row: number) => String(rows[row]?.[place] ?? '')] as const] : [],
  );
  return new RowIndex(rows.length, text, Object.fromEntries(words));
}

/** Returns what a column sorts by; null if the report has no such column. */
export function valuesBy(index: RowIndex, { columns, rows }: Table, id: string): Float64Array | null {
  const place = columns.findIndex(({ key }) => key === id);
  return place < 0 ? null : index.values(id, (row) => (rows[row]?.[place] as number | null) ?? null);
}

/** Titles of a shared report's columns, which the service names in English. */
const TITLES: Readonly<Record<string, string>> = {
  rank: message('Rank'),
  name: message('Name'),
  alliance_tag: message('Alliance'),
  power: message('Power at the Start'),
  dkp_raw: message('DKP Raw'),
  verified_t4: message('Verified T4 Deads'),
  verified_t5: message('Verified T5 Deads'),
  doubt: message('Doubt'),
  apart: message('Counted Apart'),
};

/** Returns a column's title in the reader's language. */
export function reportTitle(game: GameId, key: string, title: string): string {
  if (key === 'id') return t('{game, select, cod {Lord ID} other {Governor ID}}', { game });
  if (key === 'kingdom') return t('{game, select, cod {Server} other {Kingdom}}', { game });
  if (key === 'kingdom_now') return t('{game, select, cod {Server Now} other {Kingdom Now}}', { game });
  const [, gained] = /^(.+) Gained$/.exec(title) ?? [];
  if (gained) return t('{figure} Gained', { figure: words(gained) });
  const [, target] = /^Goal (.+) Reached %$/.exec(title) ?? [];
  return target ? t('Goal {target} Reached %', { target: words(target) }) : words(TITLES[key] ?? title);
}
