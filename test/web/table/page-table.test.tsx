import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PageTable } from '../../../web/table/page-table.tsx';

const COLUMNS = [{ id: 'rank', title: 'Rank', cell: (rank: number) => rank }];
const page = (rows: number, waiting?: number) =>
  renderToStaticMarkup(
    <PageTable
      label="Ranks"
      columns={COLUMNS}
      rows={Array.from({ length: rows }, (_, index) => index + 1)}
      rowId={(rank) => rank}
      waiting={waiting}
    />,
  );
const drawn = (html: string) => [...html.matchAll(/<td class="">(\d+)<\/td>/g)].map(([, rank]) => Number(rank));
const places = (html: string) => html.split('<tr aria-hidden="true">').length - 1;

test('a page table first renders a screen of rows and reserves the rest', () => {
  expect(drawn(page(100))).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
  expect([places(page(100)), places(page(12)), places(page(13)), places(page(0, 5)), places(page(40, 5))]).toEqual([
    88, 0, 1, 5, 33,
  ]);
});
