import ExcelJS from 'exceljs';
import { expect, test } from 'vitest';
import { type Caller, caller, signedInUser } from './client.ts';
import { fighter, HOUR, load, madeEvent, START } from './events/war.ts';
import { fileOf, keep } from './own-scans.ts';

/** Scans of different depths: governors below the end of the smaller one have neither joined nor left. */

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index);
/** The smaller scan lacks governor 1, the strongest, and everybody after 121. */
const [SMALLER, LARGER] = [numbers(2, 121), numbers(1, 160)];

/** Returns the figures about people in a workbook's summary. */
async function summaryOf(who: Caller, path: string): Promise<unknown[][]> {
  const response = await who.fetch(path);
  expect(response.status).toBe(200);
  const book = new ExcelJS.Workbook();
  await book.xlsx.load((await response.arrayBuffer()) as never);
  const lines = (book.getWorksheet('Summary')?.getSheetValues() ?? []) as unknown[][];
  return lines.map((line) => line?.slice(1, 3)).filter((line) => /^(In both|Joined|Gone|Below)/.test(`${line?.[0]}`));
}

const SUMMARY = [
  ['In both', 120],
  ['Joined', 1],
  ['Gone', 0],
  ['Below the range of the smaller scan', 39],
];

// Must run before any workbook is read: exceljs caches streams of its first reader, which the event's object cannot use.
test('an event and its workbook count governors below the smaller scan apart', async () => {
  const { admin, id } = await madeEvent();
  const rows = (ids: number[]) => ids.map((each) => fighter(each, 701, 0, { Power: 1_000_000 - 1000 * each }));
  const others = [702, 703, 704].map((kingdom) => fighter(kingdom, kingdom, 10));
  await load(admin, id, START, [...rows(SMALLER), ...others]);
  await load(admin, id, START + 2 * HOUR, [...rows(LARGER), ...others]);
  const get = async (path: string) => (await caller().call('GET', `/v1/dashboards/${id}${path}`)).data;
  expect((await get('/page')).board.people).toMatchObject({ common: 123, joined: 1, gone: 0, unseen: 39 });
  const { data, diffs } = await get('/data');
  expect([diffs.joined, diffs.gone, data.players.length]).toEqual([[1], [], 163]);
  const summary = SUMMARY.map(([title, count]) => [title, title === 'In both' ? 123 : count]);
  expect(await summaryOf(caller(), `/v1/dashboards/${id}/download?type=xlsx`)).toEqual(summary);
});

test('a comparison and its workbook count governors below the smaller scan apart', async () => {
  const user = await signedInUser(0);
  const scan = (ids: number[]) => fileOf(ids.map((id) => ({ id, power: 1_000_000 - 1000 * id })));
  const [from] = await keep(user, '2026-01-05.csv', scan(SMALLER));
  const [to] = await keep(user, '2026-01-19.csv', scan(LARGER));
  const { data } = await user.call('GET', `/v1/compare?from=${from}&to=${to}`);
  expect([data.common, data.joined, data.gone, data.unseen]).toEqual([120, 1, 0, 39]);
  expect(await summaryOf(user, `/v1/compare/export?from=${from}&to=${to}&t4=10&type=xlsx`)).toEqual(SUMMARY);
});
