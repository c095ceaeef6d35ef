import { expect, test } from 'vitest';
import { workbook } from '../scan-files/workbooks.ts';
import { type Person, signedInUser } from './client.ts';
import { bring } from './own-scans.ts';

/** Kingdoms and times that a file does not state: asked for, or refused with a reason. */

const DAY = 86_400_000;
const JANUARY = Date.UTC(2026, 0, 5, 0, 44);
const save = (user: Person, id: string, choice: object = {}) =>
  user.call('POST', `/v1/scans/import/${id}/save`, choice);

test('asks for a kingdom and a time that nothing names', async () => {
  const user = await signedInUser(0);
  const lines = 'ID,Name,Power,Killpoints,Total Kills\n1,A,5,0,0\n';
  const { data } = await bring(user, 'scan.csv', lines);
  expect(data.asks).toEqual({ kingdom: true, captured_at: true, stages: [] });
  expect((await save(user, data.import_id)).msg).toBe('kingdom: the file does not say which kingdom it is from.');
  expect((await save(user, data.import_id, { kingdom: 7 })).msg).toBe('captured_at: enter when the file was read.');
  expect((await save(user, data.import_id, { kingdom: 7, captured_at: Date.now() + DAY })).msg).toMatch(/future/);
  const { data: saved } = await save(user, data.import_id, { kingdom: 7, captured_at: '2026-01-05T00:44:00Z' });
  expect((await user.call('GET', `/v1/scans/${saved.scan_ids[0]}`)).data.scan).toMatchObject({
    kingdom_id: 7,
    captured_at: JANUARY,
  });
});

test('asks for the kingdom of a sheet without one, but not of a single line', async () => {
  const user = await signedInUser(0);
  const head = ['Governor ID', 'Name', 'Power'];
  const book = await workbook({
    '2026-01-05': [
      [...head, 'Kingdom'],
      [1, 'A', 5, 4001],
      [2, 'B', 4, ''],
    ],
    '2026-01-06': [head, [1, 'A', 6]],
  });
  const { data } = await bring(user, 'war.xlsx', Uint8Array.from(book));
  expect(data.scans.map((scan: { kingdom_id: number; rows: number }) => [scan.kingdom_id, scan.rows])).toEqual([
    [4001, 1],
    [null, 1],
  ]);
  expect(data).toMatchObject({ asks: { kingdom: true }, lines: { read: 3, kept: 2, dropped: 1 } });
  expect(data.problems).toMatchObject([
    { line: 3, reason: 'No kingdom is named; the line is left out.', dropped: true },
  ]);
  expect((await save(user, data.import_id)).msg).toBe(
    "kingdom: the sheet '2026-01-06' does not say which kingdom it is from.",
  );
  expect((await save(user, data.import_id, { kingdom: 4002 })).data.scan_ids).toHaveLength(3);
});

test('names the whole file if it has one sheet, and refuses a file without valid lines', async () => {
  const user = await signedInUser(0);
  const book = await workbook({
    '2026-01-06': [
      ['Governor ID', 'Name', 'Power'],
      [1, 'A', 6],
    ],
  });
  const { data } = await bring(user, 'war.xlsx', Uint8Array.from(book));
  expect((await save(user, data.import_id)).msg).toBe('kingdom: the file does not say which kingdom it is from.');
  const { data: empty } = await bring(user, '4001_2026-01-06.csv', 'ID,Name,Power,Killpoints\n,A,5,0\n');
  expect(await save(user, empty.import_id)).toMatchObject({
    status: 400,
    msg: 'None of the lines in the file could be read.',
  });
});

test('stages in columns become one scan each, at the given times', async () => {
  const user = await signedInUser(0);
  const headers =
    'Player ID,Name,Power at start,Kill Score at start,Power Pas 4,Kill Score Pas 4,Difference Pas 4,Power End';
  const { data } = await bring(user, '4001.csv', `${headers}\n1,A,"1,000",5,900,7,2,0\n2,B,500,5,,,,0\n`);
  expect(data).toMatchObject({
    dialect: 'Hand-made tracker',
    asks: { stages: ['start', 'Pas 4'], captured_at: false },
  });
  expect(data.scans).toMatchObject([
    { stage: 'start', rows: 2 },
    { stage: 'Pas 4', rows: 1 },
  ]);
  expect((await save(user, data.import_id, { captured_at: { start: JANUARY } })).msg).toBe(
    "captured_at: enter when 'Pas 4' was read.",
  );
  expect((await save(user, data.import_id, { captured_at: { start: JANUARY, 'Pas 4': JANUARY } })).msg).toMatch(
    /^captured_at: 'start' and 'Pas 4' are both a scan of kingdom 4001 of 2026-01-05 00:44 UTC: say when each was read.$/,
  );
  const choice = { captured_at: { start: JANUARY, 'Pas 4': JANUARY + DAY } };
  expect((await save(user, data.import_id, choice)).data.scan_ids).toHaveLength(2);
  const { data: listed } = await user.call('GET', '/v1/scans/');
  expect(
    listed.scans.map(({ stage, captured_at }: { stage: string; captured_at: number }) => [stage, captured_at]),
  ).toEqual([
    ['Pas 4', JANUARY + DAY],
    ['start', JANUARY],
  ]);
});

test('sheets of the same kingdom and time are refused before anything is saved', async () => {
  const user = await signedInUser(0);
  const sheet = (power: number) => [
    ['Governor ID', 'Name', 'Power'],
    [1, 'A', power],
  ];
  const twice = (one: string, other: string) => workbook({ [one]: sheet(5), [other]: sheet(6) });
  const of = async (name: string, one: string, other: string) => {
    const answer = await bring(user, name, Uint8Array.from(await twice(one, other)));
    return [answer.status, answer.msg];
  };
  const rule = 'Keep one of them, or give each sheet its day as its name.';
  expect(await of('2026-01-05.xlsx', '4001', 'KD 4001')).toEqual([
    400,
    `The sheets '4001' and 'KD 4001' are both a scan of kingdom 4001 of 2026-01-05 00:00 UTC. ${rule}`,
  ]);
  expect(await of('war.xlsx', '4001', 'KD 4001')).toEqual([
    400,
    `The sheets '4001' and 'KD 4001' are both a scan of kingdom 4001 of the same moment. ${rule}`,
  ]);
  expect(await of('war.xlsx', '2026-01-05', '20260105')).toEqual([
    400,
    `The sheets '20260105' and '2026-01-05' are both a scan of one kingdom of 2026-01-05 00:00 UTC. ${rule}`,
  ]);
  expect((await of('4001.xlsx', '2026-01-05', '2026-01-06'))[0]).toBe(200);
});

test('stages of the same day are shown in the preview and asked for', async () => {
  const user = await signedInUser(0);
  const file = 'Governor ID,Name,Power Start 2026-01-05,Power End 2026-01-05\n1,A,5,6\n';
  const { data } = await bring(user, '4001.csv', file);
  const [start, end] = ['Start 2026-01-05', 'End 2026-01-05'];
  const reason = `'${start}' and '${end}' are both a scan of kingdom 4001 of 2026-01-05 00:00 UTC: say when each was read.`;
  expect(data).toMatchObject({ asks: { stages: [start, end] }, problems: [{ line: null, reason }], problem_count: 1 });
  expect((await save(user, data.import_id)).msg).toBe(`captured_at: ${reason}`);
  const choice = { captured_at: { [end]: JANUARY } };
  expect((await save(user, data.import_id, choice)).data.scan_ids).toHaveLength(2);
});

test('a long table is saved as one scan for each day', async () => {
  const user = await signedInUser(0);
  const file = 'Date,Governor ID,Name,Power\n2026-01-05,1,A,5\n2026-01-06,1,A,6\n2026-01-06,2,B,7\n';
  const { data } = await bring(user, '4001.csv', file);
  const days = [Date.UTC(2026, 0, 5), Date.UTC(2026, 0, 6)];
  expect(data.scans.map(({ captured_at, rows }: { captured_at: number; rows: number }) => [captured_at, rows])).toEqual(
    [
      [days[0], 1],
      [days[1], 2],
    ],
  );
  expect((await save(user, data.import_id)).data.scan_ids).toHaveLength(2);
});

test('sums over days keep their range of days', async () => {
  const user = await signedInUser(0);
  const file = 'Character ID,Character Name,Current Power,Total Merits,Deaths (T4/T5)\n1,A,50,9,3 / 4\n';
  const { data } = await bring(user, '99_2026-01-01_2026-01-05.csv', file);
  expect(data).toMatchObject({ game: 'cod', range: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 5) } });
  expect(data.first_rows[0]).toMatchObject({ merits: 9, deads_t4: 3, deads_t5: 4 });
  await save(user, data.import_id);
  const [scan] = (await user.call('GET', '/v1/scans/')).data.scans;
  expect(scan).toMatchObject({ kingdom_id: 99, range_from: Date.UTC(2026, 0, 1), captured_at: Date.UTC(2026, 0, 5) });
  // A single day is both the first and the last.
  const day = await bring(user, '99_2026-01-05_2026-01-05.csv', file);
  expect(day.data.range).toEqual({ from: Date.UTC(2026, 0, 5), to: Date.UTC(2026, 0, 5) });
  for (const name of ['sums.csv', '99_2026-01-05.csv', '99_2026-01-05_2026-01-01.csv'])
    expect(await bring(user, name, file)).toMatchObject({
      status: 400,
      msg: expect.stringMatching(/its name does not say which/),
    });
});
