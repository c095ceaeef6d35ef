import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import type { Column, Sort } from '../../../web/table/column.ts';
import { roomIn, surelyFits } from '../../../web/table/fits.ts';
import { Table } from '../../../web/table/table.tsx';

const COLUMNS: Column<number>[] = [{ id: 'rank', title: 'Rank', cell: (rank) => rank }];
const page = (rows: number, waiting?: number) =>
  renderToStaticMarkup(
    <Table
      label="Ranks"
      columns={COLUMNS}
      rows={Array.from({ length: rows }, (_, index) => index + 1)}
      rowId={(rank) => rank}
      {...(waiting && { waiting })}
    />,
  );
const drawn = (html: string) => [...html.matchAll(/<td>(\d+)<\/td>/g)].map(([, rank]) => Number(rank));
const places = (html: string) => html.split('<tr aria-hidden="true">').length - 1;

test('a table first renders a screen of rows, and a placeholder as tall as the rest', () => {
  expect(drawn(page(100))).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  expect([places(page(100)), places(page(12)), places(page(13)), places(page(0, 5)), places(page(40, 5))]).toEqual([
    1, 0, 1, 5, 1,
  ]);
});

interface Camp {
  name: string;
  dkp: number | null;
}

const CAMPS: Camp[] = [
  { name: 'Fire', dkp: 3 },
  { name: 'Wind', dkp: null },
  { name: 'Earth', dkp: 20 },
];
const CAMP_COLUMNS: Column<Camp>[] = [
  { id: 'name', title: 'Camp', cell: ({ name }) => name, text: ({ name }) => name },
  { id: 'dkp', title: 'DKP', cell: ({ dkp }) => dkp, value: ({ dkp }) => dkp, hint: ({ name }) => `of ${name}` },
  { id: 'files', title: 'Files', cell: () => 'csv', unsorted: true },
];
const camps = (given: { sort?: Sort; onSort?: (sort: Sort) => void; sortHref?: (sort: Sort) => string }) =>
  renderToStaticMarkup(
    <Table label="Camps" columns={CAMP_COLUMNS} rows={CAMPS} rowId={({ name }) => name} {...given} />,
  );
const names = (html: string) => [...html.matchAll(/<tr><td>(\w+)/g)].map(([, name]) => name);

test('a table with a first order sorts its rows itself, unknown figures last in both directions', () => {
  expect(names(camps({ sort: { id: 'dkp', ascending: false } }))).toEqual(['Earth', 'Fire', 'Wind']);
  expect(names(camps({ sort: { id: 'dkp', ascending: true } }))).toEqual(['Fire', 'Earth', 'Wind']);
  expect(names(camps({ sort: { id: 'name', ascending: true } }))).toEqual(['Earth', 'Fire', 'Wind']);
  expect(names(camps({}))).toEqual(['Fire', 'Wind', 'Earth']);
});

test('rows that the caller sorts stay as they are', () => {
  expect(names(camps({ sort: { id: 'dkp', ascending: false }, onSort: () => undefined }))).toEqual([
    'Fire',
    'Wind',
    'Earth',
  ]);
});

test('headers tell the order to screen readers; columns that do not sort have no button', () => {
  const html = camps({ sort: { id: 'dkp', ascending: false } });
  expect(html.match(/<th[^>]*aria-sort="descending"[^>]*>/g)).toHaveLength(1);
  expect(html.match(/<button/g)).toHaveLength(2);
  expect(html).toContain('title="of Earth"');
  expect(camps({})).not.toContain('<button');
});

test('with addresses, headers are links to the order that a press gives', () => {
  const html = camps({
    sort: { id: 'dkp', ascending: false },
    onSort: () => undefined,
    sortHref: ({ id, ascending }) => `?by=${id}-${ascending ? 'up' : 'down'}`,
  });
  expect([...html.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href)).toEqual(['?by=name-down', '?by=dkp-up']);
  expect(html).not.toContain('<button');
});

test('pinned rows stand above the others; one that is also listed expands only there', () => {
  const shown = (rows: number[], pinned: number[]) =>
    renderToStaticMarkup(
      <Table
        label="Ranks"
        columns={[{ id: 'rank', title: 'Rank', cell: (rank: number, index) => `${rank} at ${index}` }]}
        rows={rows}
        rowId={(rank) => rank}
        pinned={pinned}
        detail={(rank) => rank === 7 && 'why'}
      />,
    );
  const lines = (html: string) =>
    [...html.matchAll(/<tr( data-pinned="true")?( data-open="true")?(?: class="\w*")?><td[^>]*>([^<]+)/g)].map(
      ([, pinned, open, text]) => [pinned && 'pinned', open && 'open', text].filter(Boolean).join(' '),
    );
  expect(lines(shown([5, 7], [7]))).toEqual(['pinned 7 at -1', '5 at 0', 'open 7 at 1', 'why']);
  expect(lines(shown([5], [7]))).toEqual(['pinned open 7 at -1', 'why', '5 at 0']);
});

/** Text that certainly fits in a cell and needs no truncation. */

test.each([
  ['', 0, true],
  ['lower', 4.21, true],
  ['lowers', 4.6, false],
  ['Mmww', 4.81, true],
  ['Mmww', 4.7, false],
  ['ABCD', 3.6, true],
  ['ABCD', 3.5, false],
  ['Éß', 1.8, true],
  ['ÆŒ', 2.3, false],
  ['漢字カナ한글', 7.21, true],
  ['漢字カナ한글', 7.1, false],
])('%s in %d ems: %s', (text, room, fits) => {
  expect(surelyFits(text, room)).toBe(fits);
});

test('characters of unknown width never count as fitting', () => {
  for (const sign of ['﷽', '𒐫', '😀', '\t', '\u202e', '\u0300', 'ข', 'Ǆ'])
    expect([sign, surelyFits(`a${sign}`, 20)]).toEqual([sign, false]);
});

test('a cell’s room depends on the reader’s font size', () => {
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('getComputedStyle', () => ({ fontSize: '20px' }));
  // 100 px are 5 rem, of which 1.5 are padding. The font size is seven eighths of a rem.
  expect(roomIn(100)).toBe(4);
  vi.unstubAllGlobals();
});
