import { beforeAll, expect, it } from 'vitest';
import { addDays, dayStart } from '../../domain/days.ts';
import { allianceAnswer } from '../../domain/kingdoms/alliance.ts';
import { kingdomAnswer } from '../../domain/kingdoms/contract.ts';
import { type Caller, caller, signedInUser } from './client.ts';
import { governor, publishRows } from './scans.ts';

const FIRST = '2026-03-01';
const at = (days: number) => dayStart(addDays(FIRST, days)) + 5 * 3_600_000;
/** A tag with characters that are special in a URL. */
const TAG = 'W/?#%ö';

let user: Caller;

beforeAll(async () => {
  user = await signedInUser();
  const wolf = { alliance_tag: TAG, alliance_name: 'Wolves of the North' };
  for (let day = 0; day <= 8; day++) {
    await publishRows('rok', 1001, at(day), [
      governor(1, 90e6 + day, wolf),
      governor(2, 80e6 + 2 * day, day < 4 ? { alliance_tag: 'OTHER' } : wolf),
      // Scanned on some days only, so not part of the chart.
      ...(day % 2 === 0 ? [governor(3, 70e6, wolf)] : []),
      governor(4, 60e6, day < 5 ? wolf : { alliance_tag: '' }),
      governor(5, 50e6, { alliance_tag: 'OTHER' }),
    ]);
    // The same tag elsewhere, and in the other game.
    await publishRows('rok', 1002, at(day), [governor(6, 40e6, wolf)]);
  }
  await publishRows('cod', 1001, at(8), [{ lord_id: 7, name: 'A lord', power: 5e6, alliance_tag: TAG }]);
});

const page = (kingdom: number, tag: string, query = '') =>
  user.call('GET', `/v1/alliances/${kingdom}/${encodeURIComponent(tag)}/${query}`);

it('an alliance page lists members of one kingdom and game by power, with sums', async () => {
  const { status, data } = await page(1001, TAG);
  expect(status).toBe(200);
  expect(allianceAnswer.parse(data)).toEqual(data);
  expect(data).toMatchObject({
    tag: TAG,
    name: 'Wolves of the North',
    member_count: 3,
    read_count: 3,
    doubted: { power: 0, score: 0, deads: 0 },
    power: 90e6 + 8 + 80e6 + 16 + 70e6,
    score: 20 + 40 + 60,
    deads: 1 + 2 + 3,
    captured_at: at(8),
  });
  expect(data.members.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3]);
});

it('the chart of an alliance uses only members that every day has read', async () => {
  const { data } = await page(1001, TAG);
  expect(data.same_count).toBe(2);
  expect(data.chart).toHaveLength(8);
  expect(data.chart[0]).toEqual({ day: addDays(FIRST, 1), power: 170e6 + 3, score: 60 });
  expect(data.chart.at(-1)).toEqual({ day: addDays(FIRST, 8), power: 170e6 + 24, score: 60 });
});

it('an alliance page shows members that joined or left, and their other tag', async () => {
  const { data } = await page(1001, TAG);
  const kingdom_id = 1001;
  expect(data.joined).toEqual([{ id: 2, name: 'Governor 2', kingdom_id, tag: 'OTHER', power: 80e6 + 16, time: at(4) }]);
  expect(data.left).toEqual([{ id: 4, name: 'Governor 4', kingdom_id, tag: '', power: 60e6, time: at(5) }]);
});

it('an alliance page keeps alliances of the same tag in two kingdoms apart when governors migrate', async () => {
  const scan = (kingdom: number, day: number, tags: Record<number, string>) =>
    publishRows(
      'rok',
      kingdom,
      at(day),
      Object.entries(tags).map(([id, alliance_tag]) => governor(Number(id), 9e6, { alliance_tag })),
    );
  await scan(1021, 0, { 2101: 'WOLF', 2102: 'WOLF', 2103: 'BEAR', 2104: 'WOLF' });
  await scan(1022, 1, { 2201: 'WOLF', 2202: 'BEAR' });
  // Two leave with their tag or for another, one comes to a tag that both kingdoms have; another changes it later.
  await scan(1022, 2, { 2101: 'WOLF', 2102: 'BEAR', 2103: 'WOLF', 2201: 'WOLF', 2202: 'BEAR' });
  await scan(1022, 3, { 2101: '', 2102: 'BEAR', 2103: 'WOLF', 2201: 'WOLF', 2202: 'BEAR' });
  const passed = async (kingdom: number, tag: string) => {
    const { joined, left } = (await page(kingdom, tag)).data;
    const sides = (all: { id: number; kingdom_id: number; tag: string; time: number }[]) =>
      all.map(({ id, kingdom_id, tag: other, time }) => [id, kingdom_id, other, time]);
    return { joined: sides(joined), left: sides(left) };
  };
  expect(await passed(1021, 'WOLF')).toEqual({
    joined: [],
    left: [
      [2101, 1022, 'WOLF', at(2)],
      [2102, 1022, 'BEAR', at(2)],
    ],
  });
  expect(await passed(1022, 'WOLF')).toEqual({
    joined: [
      [2101, 1021, 'WOLF', at(2)],
      [2103, 1021, 'BEAR', at(2)],
    ],
    left: [[2101, 1022, '', at(3)]],
  });
  expect(await passed(1022, 'BEAR')).toEqual({ joined: [[2102, 1021, 'WOLF', at(2)]], left: [] });
});

it('an alliance does not include governors of the same tag who came with a scan that has no tags', async () => {
  const wolf = { alliance_tag: 'WOLF', alliance_name: 'Wolves elsewhere' };
  await publishRows('rok', 1023, at(0), [governor(2301, 9e6, wolf), governor(2302, 8e6, wolf)]);
  await publishRows('rok', 1024, at(0), [governor(2401, 7e6, { alliance_tag: 'WOLF' })]);
  const untagged = [2301, 2401].map((id) => governor(id, 9e6, { alliance_tag: null }));
  await publishRows('rok', 1024, at(1), untagged);
  const { data } = await page(1024, 'WOLF');
  expect(data.members.map(({ id }: { id: number }) => id)).toEqual([2401]);
  expect((await user.call('GET', '/v1/governors/2301/')).data.free).toMatchObject({ home_kingdom: 1024, alliance: '' });
  expect((await page(1023, 'WOLF')).data).toMatchObject({
    member_count: 1,
    left: [{ id: 2301, kingdom_id: 1024, tag: '' }],
  });
});

it('figures that no scan read are null, not zero', async () => {
  const { data } = await page(1001, TAG, '?game=cod');
  expect(data).toMatchObject({ game: 'cod', member_count: 1, read_count: 0, power: 5e6, score: null, deads: null });
  expect(data.members).toEqual([{ id: 7, name: 'A lord', power: 5e6, score: null, deads: null, hall: null }]);
});

it('refuses unknown tags and visitors', async () => {
  expect(await page(1001, 'NONE')).toMatchObject({
    status: 404,
    msg: 'Nobody of [NONE] is in kingdom 1001, as far as scans show.',
  });
  expect((await page(1003, TAG)).status).toBe(404);
  expect((await page(0, TAG)).status).toBe(400);
  expect((await page(1001, 'x'.repeat(201))).status).toBe(400);
  expect((await caller().call('GET', '/v1/alliances/1001/A1/')).status).toBe(401);
});

it('shows how many members each sum counts, and how many it excludes as doubtful', async () => {
  const tag = 'DOUBT';
  const row = (id: number, more = {}) => governor(id, 50e6, { alliance_tag: tag, ...more });
  // Killpoints that contradict the kills by tier make only the score doubtful.
  await publishRows('rok', 1009, at(8), [row(91), row(92), row(93, { killpoints: 999_999, killcount_t5: 7 })]);
  const { data } = await page(1009, tag);
  expect(data).toMatchObject({ member_count: 3, read_count: 3, doubted: { power: 0, score: 1, deads: 0 } });
  expect(data.power).toBe(150e6);
  expect(data.score).toBeLessThan(999_999);
});

it('shows the power of governors as unknown whom no kept scan shows, below the known ones', async () => {
  const wolf = { alliance_tag: 'LOST' };
  await publishRows(
    'rok',
    1031,
    at(0),
    [1, 2, 3].map((id) => governor(3100 + id, 9e6, wolf)),
  );
  await publishRows('rok', 1032, at(1), [governor(3101, 8e6), governor(3102, 7e6)]);
  await publishRows('rok', 1031, at(2), [governor(3103, 9e6, wolf)]);
  // The new home's history forgets the first, who is not seen for longer than a year.
  await publishRows('rok', 1032, at(300), [governor(3102, 7e6)]);
  await publishRows('rok', 1032, at(400), [governor(3104, 1e6)]);
  const powers = (all: { id: number; power: number | null }[]) => all.map(({ id, power }) => [id, power]);
  const expected = [
    [3102, 7e6],
    [3101, null],
  ];
  const { data } = await page(1031, 'LOST');
  expect(allianceAnswer.parse(data)).toEqual(data);
  expect(powers(data.left)).toEqual(expected);
  for (const [kingdom, side] of [
    [1031, 'left'],
    [1032, 'arrived'],
  ] as const) {
    const { data: shown } = await user.call('GET', `/v1/kingdoms/${kingdom}/`);
    expect(kingdomAnswer.safeParse(shown).error).toBeUndefined();
    expect(powers(shown[side])).toEqual(expected);
  }
});

it('shows the sum of an alliance as unknown if all powers in it were misread', async () => {
  await publishRows('rok', 1033, at(0), [governor(3301, 0, { alliance_tag: 'ZERO', highest_power: null })]);
  expect((await page(1033, 'ZERO')).data).toMatchObject({ power: null, doubted: { power: 1 } });
});
