import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { openDb } from '../../worker/db/open.ts';
import { jsonPieces } from '../../worker/files/json-pieces.ts';
import { streamOf } from '../../worker/files/stream-of.ts';
import { userById } from '../../worker/models/accounts/accounts.ts';
import { personalData } from '../../worker/models/accounts/personal-data.ts';
import { db, signedInUser } from './client.ts';
import { counted } from './stores.ts';

/** The export of everything stored about a user, however much it is. */

const MEGABYTE = 1_000_000;

/** Stores the user's rosters of kingdoms 1 to `count`, with a note that repeats this letter. */
const storeRosters = (userId: string, count: number, letter: string, length: number) =>
  env.DB.prepare(
    `WITH RECURSIVE kingdom (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM kingdom WHERE id < ?2)
     INSERT INTO rosters (user_id, game, kingdom_id, entries, updated_at)
     SELECT ?1, 'rok', id, json_array(json_object('governor_id', id, 'note', replace(hex(zeroblob(?4)), '00', ?3))), 1
     FROM kingdom`,
  )
    .bind(userId, count, letter, length)
    .run();

it('reads 200 rosters of a megabyte each only as fast as they are sent', async () => {
  const me = await signedInUser(0);
  await storeRosters(me.id, 200, 'x', MEGABYTE);
  const user = await userById(db, me.id);
  if (!user) throw new Error('no user');
  let returned = 0;
  const client = counted(
    env.DB,
    () => undefined,
    (answer) => {
      returned += JSON.stringify((answer as D1Result | null)?.results ?? []).length;
    },
  );
  const reader = streamOf(jsonPieces(await personalData(openDb({ DB: client }), user))).getReader();
  let [sent, ahead] = [0, 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    sent += value.length;
    ahead = Math.max(ahead, returned - sent);
  }
  expect(sent).toBeGreaterThan(200 * MEGABYTE);
  expect(ahead).toBeLessThan(2 * MEGABYTE);
});

it('has each row once, across the pages that it is read in', async () => {
  const [me, other] = [await signedInUser(0), await signedInUser(0)];
  for (const { id } of [other, me, other]) await storeEntries(id, 1100);
  await storeRosters(me.id, 40, 'é', 50_000);
  await storeRosters(other.id, 3, 'é', 10);
  const { data } = await me.call('GET', '/v1/account/export');
  const acts = data.activity.filter(({ action }: { action: string }) => action.startsWith('did.'));
  expect(acts.map(({ action }: { action: string }) => action)).toEqual(
    Array.from({ length: 1100 }, (_, place) => `did.${place + 1}`),
  );
  const { rosters } = data.own_scans;
  expect(rosters.map(({ kingdom_id }: { kingdom_id: number }) => kingdom_id)).toEqual(
    Array.from({ length: 40 }, (_, place) => place + 1),
  );
  expect(rosters[39].entries).toEqual([{ governor_id: 40, note: 'é'.repeat(50_000) }]);
});

const storeEntries = (userId: string, count: number) =>
  env.DB.prepare(
    `WITH RECURSIVE entry (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM entry WHERE id < ?2)
     INSERT INTO audit_entries (at, user_id, actor, action) SELECT id, ?1, 'user', 'did.' || id FROM entry`,
  )
    .bind(userId, count)
    .run();
