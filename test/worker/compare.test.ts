import { describe, expect, test } from 'vitest';
import { caller, makeKey, type Person, signedInUser } from './client.ts';
import { bring, type Fighter, fileOf, keep, SETTINGS } from './own-scans.ts';

const FIRST = '2026-01-05.csv';
const LAST = '2026-01-19.csv';

/** Saves two scans of the same governors and returns their ids. */
async function kept(user: Person, before: Fighter[], after: Fighter[]): Promise<[string, string]> {
  const [from] = await keep(user, FIRST, fileOf(before));
  const [to] = await keep(user, LAST, fileOf(after));
  return [from as string, to as string];
}

const compare = (user: Person, from: string, to: string, more = '') =>
  user.call('GET', `/v1/compare?from=${from}&to=${to}&t4=10&t5=20&deads=0${more}`);

const BEFORE: Fighter[] = [
  { id: 1, t4: 100, t5: 10, power: 100 },
  { id: 2, t4: 50, t5: 5, power: 90 },
  { id: 3, t4: 70, t5: 7, power: 80 },
  { id: 4, t4: 9, t5: 9, power: 70 },
  { id: 5, t4: 1, t5: 1, power: 60, name: 'Old Name' },
];
const AFTER: Fighter[] = [
  { id: 1, t4: 110, t5: 12, power: 120 },
  // A tier fell.
  { id: 2, t4: 40, t5: 50, power: 90 },
  // No kills at all in one reading.
  { id: 3, t4: 0, t5: 0, power: 80 },
  { id: 5, t4: 1, t5: 1, power: 60, name: 'New Name' },
  { id: 6, t4: 500, t5: 500, power: 50 },
];

describe('comparing', () => {
  test('returns gains with and without doubtful ones, and the governors that joined or left', async () => {
    const user = await signedInUser(0);
    const [from, to] = await kept(user, BEFORE, AFTER);
    const { status, data } = await compare(user, from, to);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      game: 'rok',
      common: 4,
      joined: 1,
      gone: 1,
      weights: { killcount_t4: 10, killcount_t5: 20, deads: 0 },
    });
    expect(data.kingdoms).toMatchObject({
      4001: {
        dkp: 140,
        dkp_raw: 140 + (-100 + 900) + (-700 - 140),
        left_out: 2,
        common: 4,
        joined: 1,
        gone: 1,
        killcount_t4: 10,
      },
    });
    expect(data.all).toEqual(data.kingdoms['4001']);
    expect(data.players['1']).toMatchObject({
      dkp: 140,
      dkp_raw: 140,
      killcount_t4: 10,
      killcount_t5: 2,
      power: 100,
      kingdom: '4001',
    });
    expect(data.players['2']).toMatchObject({ dkp: null, dkp_raw: 800, doubt: [{ reason: 'fell' }] });
    expect(data.players['3']).toMatchObject({ dkp: null });
    expect(data.players['5']).toMatchObject({ dkp: 0, name: 'New Name', renamed_from: 'Old Name' });
    expect(data.joined_players).toMatchObject([{ id: 6, kingdom: '4001', power: 50 }]);
    expect(data.gone_players).toMatchObject([{ id: 4, name: 'Moss 4' }]);
    expect(data.ranges[0].from).toMatchObject([{ scan_id: from, rows: 5 }]);
  });

  test('the table has the same figures as columns', async () => {
    const user = await signedInUser(0);
    const [from, to] = await kept(user, BEFORE, AFTER);
    const { data: whole } = await compare(user, from, to);
    const { data } = await user.call('GET', `/v1/compare/table?from=${from}&to=${to}`);
    expect([data.common, data.joined, data.gone, data.id.length]).toEqual([4, 1, 1, 6]);
    data.id.slice(0, 4).forEach((id: number, row: number) => {
      expect(data.gains.killcount_t4[row]).toBe(whole.players[id].killcount_t4);
      expect(data.power[row]).toBe(whole.players[id].power);
    });
    expect(data.id.slice(4)).toEqual([6, 4]);
    expect(data.kingdom_now.at(-1)).toBe(-1);
    const second = data.id.indexOf(2);
    expect(data.doubts.killcount_t4.fell).toEqual([second, data.id.indexOf(3)]);
    expect(data.renamed).toEqual({ [data.id.indexOf(5)]: 'Old Name' });
  });

  test('compares several kingdoms per side, and adds up fights', async () => {
    const user = await signedInUser(0);
    const day = (kills: number) => [
      { id: 1, kingdom: 4001, t4: kills, t5: 1 },
      { id: 2, kingdom: 4002, t4: 2 * kills, t5: 1 },
    ];
    const [a, b, c] = await Promise.all([
      keep(user, '2026-01-05.csv', fileOf(day(10))),
      keep(user, '2026-01-09.csv', fileOf(day(14))),
      keep(user, '2026-01-19.csv', fileOf(day(30))),
    ]);
    const { data } = await compare(user, (a as string[]).join(','), (c as string[]).join(','));
    expect(data.kingdoms).toMatchObject({ 4001: { dkp: 200 }, 4002: { dkp: 400 } });
    const fight = async (name: string, from: string[], to: string[]) =>
      (await user.call('POST', '/v1/fights', { name, from, to })).data.fight_id as string;
    const [first, second] = [await fight('Pass 4', a, b), await fight('Pass 5', b, c)];
    const of = (ids: string[]) => user.call('GET', `/v1/compare?fights=${ids.join(',')}&t4=10`);
    expect((await of([first])).data.kingdoms).toMatchObject({ 4001: { dkp: 40 }, 4002: { dkp: 80 } });
    expect((await of([first, second])).data.kingdoms).toMatchObject({ 4001: { dkp: 200 }, 4002: { dkp: 400 } });
    const { data: listed } = await user.call('GET', '/v1/fights');
    expect(listed.fights.map(({ name }: { name: string }) => name)).toEqual(['Pass 5', 'Pass 4']);
    // Deleting a scan first names the fights that use it, and then deletes them too.
    expect(await user.call('DELETE', `/v1/scans/${b[0]}`)).toMatchObject({
      status: 409,
      msg: expect.stringMatching(/: 'Pass 4', 'Pass 5'\. Ask/),
    });
    expect((await user.call('DELETE', `/v1/scans/${b[0]}?with=reports`)).status).toBe(200);
    expect((await user.call('GET', '/v1/fights')).data.fights).toEqual([]);
  });

  test('refuses fights of a kingdom that overlap', async () => {
    const user = await signedInUser(0);
    const scan = async (day: string, t4: number, kingdom = 4001) => {
      const [id] = await keep(user, `2026-01-${day}.csv`, fileOf([{ id: kingdom, kingdom, t4, t5: 1 }]));
      return id as string;
    };
    const [a, b, c] = [await scan('05', 100), await scan('09', 300), await scan('19', 600)];
    const [other, later] = [await scan('06', 100, 4002), await scan('18', 200, 4002)];
    const fight = async (from: string, to: string) =>
      (await user.call('POST', '/v1/fights', { name: 'a fight', from: [from], to: [to] })).data.fight_id as string;
    const [first, second, whole] = [await fight(a, b), await fight(b, c), await fight(a, c)];
    const of = (...ids: string[]) => user.call('GET', `/v1/compare?fights=${ids.join(',')}&t4=1`);
    const refused = (start: string, end: string) => ({
      status: 400,
      msg: `The fights of kingdom 4001 overlap, so gains would count twice: one ends at 2026-01-${end} 00:00 UTC, another begins at 2026-01-${start} 00:00 UTC.`,
    });
    expect(await of(second, whole)).toMatchObject(refused('09', '19'));
    expect(await of(whole, first)).toMatchObject(refused('05', '09'));
    const range = { from: [a], to: [c] };
    const report = { name: 'Twice', ranges: [range, range], settings: SETTINGS };
    expect(await user.call('POST', '/v1/reports', report)).toMatchObject(refused('05', '19'));
    expect((await of(first, second)).data.kingdoms).toMatchObject({ 4001: { dkp: 500 } });
    const beside = await of(whole, await fight(other, later));
    expect(beside.data.kingdoms).toMatchObject({ 4001: { dkp: 500 }, 4002: { dkp: 100 } });
  });

  test('refuses invalid comparisons with a message', async () => {
    const user = await signedInUser(0);
    const [from, to] = await kept(user, BEFORE, AFTER);
    const refused = async (path: string) => {
      const { status, msg } = await user.call('GET', `/v1/compare?${path}`);
      return [status, msg];
    };
    expect(await refused(`from=${to}&to=${from}`)).toEqual([400, 'to: must be later than from.']);
    expect(await refused(`from=${from}&to=${from}`)).toEqual([400, 'to: must be later than from.']);
    // Each of several kingdoms must move forward in time. One side may lack a kingdom.
    const scan = async (kingdom: number, day: number) =>
      (await keep(user, `${kingdom}_2026-02-0${day}.csv`, fileOf([{ id: kingdom, kingdom }])))[0];
    const [a1, a5, b2, b3] = [await scan(4011, 1), await scan(4011, 5), await scan(4012, 2), await scan(4012, 3)];
    const backwards = [400, 'to: the scan of kingdom 4012 must be later than that of from.'];
    expect(await refused(`from=${a1},${b3}&to=${a5},${b2}`)).toEqual(backwards);
    expect(await refused(`from=${a1},${b3}&to=${a5},${b3}`)).toEqual(backwards);
    // If a side has several scans of a kingdom, the last one counts.
    const b5 = await scan(4012, 5);
    expect(await refused(`from=${a1},${b2},${b3},${b5}&to=${a5},${b3},${await scan(4011, 6)}`)).toEqual(backwards);
    expect((await refused(`from=${a1},${b2}&to=${a5},${b3}`))[0]).toBe(200);
    expect((await refused(`from=${a1}&to=${a5},${b3}`))[0]).toBe(200);
    expect((await refused(`from=${a1},${b3}&to=${a5}`))[0]).toBe(200);
    expect(await refused(`from=${from}`)).toEqual([400, 'Name from and to, or fights.']);
    expect((await refused(`from=${from}&to=own-nothing`))[0]).toBe(404);
    const many = Array.from({ length: 41 }, (_, index) => `own-${index}`).join(',');
    expect(await refused(`from=${many}&to=${to}`)).toEqual([400, 'from: must have 40 entries at most.']);
    const cod = 'lord_id,name,home_server,power,merits\n1,A,99,5,5\n';
    const [lords] = await keep(user, 'lords_2026-01-20.csv', cod);
    expect((await refused(`from=${from}&to=${lords}`))[1]).toMatch(/two games/);
    const { data } = await bring(
      user,
      '99_2026-01-01_2026-01-25.csv',
      'Character ID,Character Name,Current Power,Total Merits\n1,A,5,5\n',
    );
    const { data: sums } = await user.call('POST', `/v1/scans/import/${data.import_id}/save`, {});
    expect((await refused(`from=${lords}&to=${sums.scan_ids[0]}`))[1]).toMatch(/Sums over days and readings/);
  });

  test('hides scans, fights and rosters from other users', async () => {
    const [owner, other] = await Promise.all([signedInUser(0), signedInUser(0)]);
    const [from, to] = await kept(owner, BEFORE, AFTER);
    expect((await compare(other, from, to)).status).toBe(404);
    expect((await other.call('POST', '/v1/fights', { name: 'x', from: [from], to: [to] })).status).toBe(404);
    const { data } = await owner.call('POST', '/v1/fights', { name: 'x', from: [from], to: [to] });
    expect((await other.call('GET', '/v1/fights')).data.fights).toEqual([]);
    expect((await other.call('GET', `/v1/compare?fights=${data.fight_id}`)).status).toBe(404);
    expect((await other.call('DELETE', `/v1/fights/${data.fight_id}`)).status).toBe(404);
    expect((await owner.call('GET', '/v1/fights')).data.fights).toHaveLength(1);
    const entries = [{ governor_id: 2, role: 'exempt', main_id: null, note: '' }];
    expect((await owner.call('PUT', '/v1/rosters/rok/4001', entries)).data.entries).toEqual(entries);
    expect((await other.call('GET', '/v1/rosters/rok/4001')).data.entries).toEqual([]);
    await other.call('PUT', '/v1/rosters/rok/4001', []);
    expect((await owner.call('GET', '/v1/rosters/rok/4001')).data.entries).toEqual(entries);
    expect((await other.call('GET', '/v1/compare/line?game=rok&governor=1')).data.points).toEqual([]);
    expect((await owner.call('GET', '/v1/compare/line?game=rok&governor=1')).data.points).toMatchObject([
      { scan_id: from, figures: { killcount_t4: 100 } },
      { scan_id: to, figures: { killcount_t4: 110 } },
    ]);
  });

  test('farms count for their mains', async () => {
    const user = await signedInUser(0);
    const [from, to] = await kept(user, BEFORE, AFTER);
    const entry = (governor_id: number, role: string, main_id: number | null = null) => ({
      governor_id,
      role,
      main_id,
      note: '',
    });
    expect((await user.call('PUT', '/v1/rosters/rok/4001', [entry(1, 'farm')])).msg).toBe(
      '[0]: 1 is a farm: name its main.',
    );
    await user.call('PUT', '/v1/rosters/rok/4001', [entry(1, 'farm', 5), entry(5, 'main')]);
    const { data } = await compare(user, from, to, '&farms=20');
    expect(data.players['5']).toMatchObject({ dkp: 0, dkp_rolled: 28 });
    expect(data.players['1']).toMatchObject({ dkp: 140, dkp_rolled: null });
  });

  test('strangers and keys without the scope are refused on every call', async () => {
    const user = await signedInUser(0);
    const { data } = await makeKey(user, ['read', 'order']);
    const key = caller({ authorization: `Bearer ${data.key}` });
    const id = crypto.randomUUID();
    const calls: [string, string, unknown?][] = [
      ['GET', '/v1/compare?from=a&to=b'],
      ['GET', '/v1/compare/table?from=a&to=b'],
      ['GET', '/v1/compare/line?game=rok&governor=1'],
      ['GET', '/v1/fights'],
      ['POST', '/v1/fights', {}],
      ['DELETE', `/v1/fights/${id}`],
      ['GET', '/v1/rosters/rok/1'],
      ['PUT', '/v1/rosters/rok/1', []],
    ];
    for (const [method, path, body] of calls) {
      expect([path, (await caller().call(method, path, body)).status]).toEqual([path, 401]);
      expect([path, (await key.call(method, path, body)).status]).toEqual([path, 403]);
    }
  });
});
