import { expect, test } from 'vitest';
import { type Person, signedInUser } from './client.ts';
import { fileOf, keep } from './own-scans.ts';

/** The search of imported scans, for their owner alone. */

const find = async (user: Person, words: string) => {
  const { status, data, msg } = await user.call('GET', `/v1/scans/search?q=${encodeURIComponent(words)}`);
  if (status !== 200) throw new Error(msg);
  return data;
};

test('finds governors by name and id, alliances by tag and kingdoms by number, for their owner alone', async () => {
  const [owner, other] = [await signedInUser(), await signedInUser()];
  await keep(owner, 'a_2026-01-05.csv', fileOf([{ id: 61001, kingdom: 4811, name: 'Moss Fern', tag: 'MF' }]));
  await keep(
    owner,
    'b_2026-01-09.csv',
    fileOf([
      { id: 61001, kingdom: 4811, name: 'Mössy Fern', tag: 'FM' },
      { id: 61002, kingdom: 4811, name: 'Reed', tag: 'FM' },
      { id: 61003, kingdom: 4812, name: 'Sedge', tag: '' },
    ]),
  );
  const fern = { game: 'rok', governor_id: 61001, name: 'Mössy Fern', alliance_tag: 'FM', kingdom_id: 4811 };
  const nothing = { governors: [], alliances: [], kingdoms: [] };
  expect(await find(owner, 'MOSSY')).toEqual({ ...nothing, governors: [fern] });
  expect(await find(owner, '61001')).toEqual({ ...nothing, governors: [fern] });
  expect((await find(owner, 'fm')).alliances).toEqual([
    { game: 'rok', kingdom_id: 4811, alliance_tag: 'FM', alliance_name: '', member_count: 2 },
  ]);
  expect(
    (await find(owner, '481')).kingdoms.map(({ kingdom_id }: { kingdom_id: number }) => kingdom_id).sort(),
  ).toEqual([4811, 4812]);
  expect(await find(owner, 'nobody')).toEqual(nothing);
  for (const words of ['mossy', '61001', 'fm', '4811']) expect(await find(other, words)).toEqual(nothing);
});
