import { env } from 'cloudflare:workers';
import { expect, test, vi } from 'vitest';
import { publishDay } from '../../worker/services/boards/publish-boards.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { allRowsBut } from './all-rows.ts';
import { caller, db, type Person, signedInUser } from './client.ts';
import { fileOf, keep } from './own-scans.ts';
import { governor, publishRows } from './scans.ts';

/** An account's imports are private: nothing that others see changes by a letter. */

/** Tables of imported scans, and of the calls themselves. */
const OWN = ['imports', 'scans', 'header_mappings', 'sessions'];

const MANIFEST = 'boards/manifest.json';

/** The bytes of all objects, by etag, and the manifest without the times that its boards took to build. */
async function objects() {
  const { objects: all } = await env.STORE.list();
  const others = all.filter(({ key }) => key !== MANIFEST && !/^(own|imports)\//.test(key));
  const manifest = (await (await env.STORE.get(MANIFEST))?.text()) ?? '';
  expect(manifest).toContain('"built_ms":');
  return {
    etags: others.map(({ key, etag }) => `${key} ${etag}`),
    manifest: manifest.replace(/"built_ms":\d+/g, '"built_ms":0'),
  };
}

const day = '2026-01-05';
const moment = Date.parse(`${day}T06:00:00Z`);
const visitor = caller();

/** Builds everything public from scans: the day's boards, the kingdoms' lists, the search. */
async function makePublic(): Promise<void> {
  await publishDay(db, env.STORE, 'rok', day, moment + 8 * 86_400_000);
  while ((await digestKingdoms(db, env.STORE)) > 0);
}

/** What others see of the kingdom, its governors and all boards. */
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

test('boards, pages, search and other users’ data stay exactly the same', async () => {
  // The edge cache would give equal answers for a minute anyway.
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
  // The same governors with other names and higher figures, a new one, and a kingdom without scans.
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
