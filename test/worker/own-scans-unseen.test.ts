import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { publishDay } from '../../worker/services/boards/publish-boards.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { allRowsBut } from './all-rows.ts';
import { caller, db, type Person, signedInUser } from './client.ts';
import { fileOf, keep } from './own-scans.ts';
import { governor, publishRows } from './scans.ts';

/** What an account brings is its own: nothing that anybody else is shown differs by a letter before and after. */

/** Tables of one's own scans, and of calls themselves. */
const OWN = ['imports', 'scans', 'header_mappings', 'sessions'];

async function objects(): Promise<string[]> {
  const { objects: all } = await env.STORE.list();
  return all.filter(({ key }) => !/^(own|imports)\//.test(key)).map(({ key, etag }) => `${key} ${etag}`);
}

const day = '2026-01-05';
const moment = Date.parse(`${day}T06:00:00Z`);
const visitor = caller();

/** All that is made of scans for everybody: the day's boards, kingdoms' lists, the search. */
async function makePublic(): Promise<void> {
  await publishDay(db, env.STORE, 'rok', day, moment + 8 * 86_400_000);
  while ((await digestKingdoms(db, env.STORE)) > 0);
}

/** What others are shown of the kingdom, its people and all boards. */
async function shown(other: Person) {
  const paths = [
    ...['power', 'killpoints', 'deads'].map((type) => `/v1/governor/rankings?type=${type}&count=-1&page=0`),
    '/v1/alliance/rankings/rok/?type=power&count=-1&page=0',
    '/v1/kingdom/rankings/rok/',
    '/v1/stats/global',
  ];
  const seen: Record<string, unknown> = {};
  for (const path of paths) seen[path] = await visitor.call('GET', path);
  for (const path of [
    '/v1/search?q=Heron',
    '/v1/search?q=Louder',
    '/v1/search?q=77000001',
    '/v1/search?q=4999',
    '/v1/governors/77000001',
    '/v1/governors/77000009',
    '/v1/kingdoms/4999?game=rok',
    '/v1/kingdoms/4998?game=rok',
    '/v1/scans/',
    '/v1/reports',
    '/v1/fights',
    '/v1/compare/line?game=rok&governor=77000001',
  ])
    seen[path] = await other.call('GET', path);
  return seen;
}

test('boards, pages, search and what others keep are the same before and after, to the letter', async () => {
  // What the edge keeps for a minute would be the same by itself.
  vi.spyOn(caches.default, 'match').mockResolvedValue(undefined);
  await publishRows('rok', 4999, moment, [
    governor(77_000_001, 5_000_000, { name: 'Quiet Heron', alliance_tag: 'OWL' }),
    governor(77_000_002, 4_000_000, { name: 'Still Heron', alliance_tag: 'OWL' }),
  ]);
  await makePublic();
  const [user, other] = [await signedInUser(0), await signedInUser(0)];
  await user.call('GET', '/v1/scans/');
  const rows = await allRowsBut(OWN);
  const before = { shown: await shown(other), rows: await rows(), objects: await objects() };
  for (const path of [
    '/v1/governor/rankings?type=power&count=-1&page=0',
    '/v1/search?q=Heron',
    '/v1/governors/77000001',
  ])
    expect([path, JSON.stringify(before.shown[path])]).toEqual([path, expect.stringContaining('Quiet Heron')]);
  // The same people with other names and more of everything, somebody new, and a kingdom that nobody has scanned.
  const louder = { name: 'Louder Heron', tag: 'LOUD', power: 9e9, t5: 1e6 };
  await keep(
    user,
    `${day}T0700Z.csv`,
    fileOf([
      { id: 77_000_001, kingdom: 4999, ...louder },
      { id: 77_000_009, kingdom: 4999, ...louder },
      { id: 77_000_002, kingdom: 4998, ...louder },
    ]),
  );
  await makePublic();
  expect((await user.call('GET', '/v1/scans/')).data.scans).toHaveLength(2);
  expect(await shown(other)).toEqual(before.shown);
  expect(await rows()).toEqual(before.rows);
  expect(await objects()).toEqual(before.objects);
});
