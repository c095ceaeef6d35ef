import { expect, test } from 'vitest';
import { type Person, signedInUser } from './client.ts';
import { type Fighter, fileOf, keep, SETTINGS } from './own-scans.ts';

/** Comparisons of more governors than one chunk holds, of losses, and with cached columns. */

const GOVERNORS = 5600;
const ids = Array.from({ length: GOVERNORS }, (_, index) => index + 1);
const won = (id: number) => (id * 7919) % 6007;
const isDoubted = (id: number) => id % 1000 === 999;

test('a comparison of 5,600 governors has each of them once, with their own figures', async () => {
  const user = await signedInUser(0);
  const side = (kills: (id: number) => number, name: (id: number) => string, more: Fighter[]) =>
    fileOf([
      ...ids.map((id) => ({ id, t4: kills(id), power: 1e6 - id, name: name(id), tag: id % 5 ? `T${id % 4}` : '' })),
      ...more,
    ]);
  const [from] = await keep(
    user,
    '2026-01-05.csv',
    side(
      () => 5000,
      (id) => `Old ${id}`,
      [{ id: 10_001, t4: 1 }],
    ),
  );
  const [to] = await keep(
    user,
    '2026-01-19.csv',
    side(
      (id) => (isDoubted(id) ? 4000 : 5000 + won(id)),
      (id) => (id % 700 === 0 ? `New ${id}` : `Old ${id}`),
      [{ id: 20_001, t4: 1 }],
    ),
  );
  const query = `from=${from}&to=${to}&t4=10`;
  const { data } = await user.call('GET', `/v1/compare?${query}`);
  expect([data.common, data.joined, data.gone]).toEqual([GOVERNORS, 1, 1]);
  expect(Object.keys(data.players)).toHaveLength(GOVERNORS);
  for (const id of ids)
    expect(data.players[id]).toMatchObject({
      dkp: isDoubted(id) ? null : 10 * won(id),
      dkp_raw: isDoubted(id) ? -10_000 : 10 * won(id),
      power: 1e6 - id,
      alliance_tag: id % 5 ? `T${id % 4}` : null,
    });
  expect(data.players[5600].renamed_from).toBe('Old 5600');
  expect(data.players[4999].doubt[0]).toMatchObject({
    reason: 'fell',
    figures: expect.arrayContaining(['killcount_t4']),
  });

  const { data: table } = await user.call('GET', `/v1/compare/table?${query}`);
  const everybody = [...ids, 20_001, 10_001];
  expect(table.id).toEqual(everybody);
  expect(table.gains.killcount_t4).toEqual(ids.map((id) => (isDoubted(id) ? -1000 : won(id))));
  expect(table.now.killcount_t4).toEqual(ids.map((id) => (isDoubted(id) ? 4000 : 5000 + won(id))));
  expect(table.tag.slice(0, GOVERNORS).map((tag: number) => table.tags[tag] ?? null)).toEqual(
    ids.map((id) => (id % 5 ? `T${id % 4}` : null)),
  );
  expect(table.power.slice(0, GOVERNORS)).toEqual(ids.map((id) => 1e6 - id));
  expect([table.kingdom, table.kingdom_now].map((column) => column.length)).toEqual([GOVERNORS + 2, GOVERNORS + 2]);
  expect(table.kingdom_now.at(-1)).toBe(-1);
  expect(table.doubts.killcount_t4.fell).toEqual(ids.filter(isDoubted).map((id) => id - 1));
  expect(Object.keys(table.renamed)).toEqual(ids.filter((id) => id % 700 === 0).map((id) => `${id - 1}`));

  const file = await (await user.fetch(`/v1/compare/export?${query}&type=csv`)).text();
  const lines = file.trimEnd().split('\r\n').slice(1);
  expect(lines).toHaveLength(GOVERNORS);
  const ranked = ids.filter((id) => !isDoubted(id)).sort((a, b) => won(b) - won(a) || a - b);
  expect(lines.map((line) => Number(line.split(',')[1]))).toEqual([...ranked, ...ids.filter(isDoubted)]);
});

/** Saves two scans of a kingdom and returns their ids. */
async function pair(user: Person, kingdom: number, before: Fighter[], after: Fighter[]): Promise<[string, string]> {
  const of = (fighters: Fighter[], gathered: number) =>
    fileOf(fighters.map((fighter) => ({ ...fighter, kingdom })))
      .replace('Town Hall', 'RSS Gathered')
      .replaceAll(/,25$/gm, `,${gathered}`);
  const [from] = await keep(user, `${kingdom}_2026-01-05.csv`, of(before, 100));
  const [to] = await keep(user, `${kingdom}_2026-01-19.csv`, of(after, kingdom));
  return [from as string, to as string];
}

test('cached columns are used only for the same scans and columns', async () => {
  const user = await signedInUser(0);
  const [a, b] = await pair(user, 4001, [{ id: 1, t4: 10, deads: 5 }], [{ id: 1, t4: 13, deads: 9 }]);
  const [c, d] = await pair(user, 4002, [{ id: 2, t4: 20, deads: 6 }], [{ id: 2, t4: 25, deads: 7 }]);
  const kills = async (from: string[], to: string[]) => {
    const { data } = await user.call('GET', `/v1/compare?from=${from}&to=${to}&t4=1`);
    return Object.entries(data.players as Record<string, { killcount_t4: number }>).map(([id, player]) => [
      id,
      player.killcount_t4,
    ]);
  };
  for (const _ of ['read', 'kept']) {
    expect(await kills([a], [b])).toEqual([['1', 3]]);
    expect(await kills([c], [d])).toEqual([['2', 5]]);
    expect(await kills([a, c], [b, d])).toEqual([
      ['1', 3],
      ['2', 5],
    ]);
  }
  // A report may use a figure that no earlier comparison has read.
  const settings = { ...SETTINGS, weights: { rss_gathered: 1 }, columns: ['id', 'gain:rss_gathered', 'dkp'] };
  for (const [from, to, rows] of [
    [[a], [b], [[1, 3901, 3901]]],
    [
      [a, c],
      [b, d],
      [
        [2, 3902, 3902],
        [1, 3901, 3901],
      ],
    ],
  ] as const) {
    const made = await user.call('POST', '/v1/reports', { name: 'R', ranges: [{ from, to }], settings });
    expect(made.msg).toBeUndefined();
    const { data } = await user.call('POST', `/v1/reports/${made.data.report_id}/links`, { days: 1 });
    const shared = await user.call('GET', `/v1${data.path}`);
    expect(shared.data.rows).toEqual(rows);
  }
});

test('losses are negative in sums, ranks and files', async () => {
  const user = await signedInUser(0);
  const [from, to] = await pair(
    user,
    4001,
    [1, 2, 3].map((id) => ({ id, power: 100 * id, t4: 10 })),
    [1, 2, 3].map((id) => ({ id, power: 100 * id - 10 * id, t4: 10 + id })),
  );
  const query = `from=${from}&to=${to}&t4=10&power_off=1`;
  const { data } = await user.call('GET', `/v1/compare?${query}`);
  expect(Object.entries(data.players as Record<string, { dkp: number }>).map(([id, { dkp }]) => [id, dkp])).toEqual([
    ['1', -90],
    ['2', -180],
    ['3', -270],
  ]);
  expect(data.all).toMatchObject({ dkp: -540, dkp_raw: -540, power: -60, left_out: 0 });
  const file = await (await user.fetch(`/v1/compare/export?${query}&type=csv`)).text();
  const [head, ...lines] = file
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  const dkp = head?.indexOf('dkp') ?? -1;
  expect(lines.map((cells) => [cells[0], cells[dkp]])).toEqual([
    ['1', '-90'],
    ['2', '-180'],
    ['3', '-270'],
  ]);
});
