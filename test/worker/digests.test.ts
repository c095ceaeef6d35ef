import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { tableOf } from '../../domain/scans/rows.ts';
import { waitAfter } from '../../domain/work.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { publishSnapshot } from '../../worker/services/scans/publish-snapshot.ts';
import { db, fireCron, signedInAdmin, signedInUser } from './client.ts';
import { rowsWhere } from './payments-client.ts';
import { governor } from './scans.ts';

const EVERY_MINUTE = '* * * * *';

describe('a kingdom whose digest fails', () => {
  const publish = (kingdom_id: number, power: number, captured_at: number) =>
    publishSnapshot(
      db,
      env.STORE,
      tableOf('rok', [governor(kingdom_id * 10, power, { home_kingdom: kingdom_id, alliance_tag: 'ONE' })]),
      { kingdom_id, captured_at, source: 'made up', id: crypto.randomUUID(), item_id: null, version: 1 },
    );
  const undigested = () => rowsWhere(`SELECT kingdom_id FROM kingdoms WHERE digested_at < captured_at ORDER BY 1`);

  it('stops no other, is shown to admins, and is tried again later', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const now = Date.now();
    for (const [index, kingdom] of [3001, 3002, 3003].entries()) await publish(kingdom, 1000 + index, now - 10 + index);
    await env.DB.exec(
      `CREATE TRIGGER poison BEFORE UPDATE OF digested_at ON kingdoms WHEN NEW.kingdom_id = 3002 BEGIN SELECT raise(ABORT, 'poisoned'); END`,
    );
    await fireCron(EVERY_MINUTE, now);
    expect(await undigested()).toEqual([{ kingdom_id: 3002 }]);
    const admin = await signedInAdmin();
    const { data } = await admin.call('GET', '/v1/admin/setbacks');
    expect(data).toMatchObject({
      count: 1,
      setbacks: [{ job: 'digest', subject: 'rok 3002', tries: 1, error: expect.stringMatching(/poisoned/) }],
    });
    await env.DB.exec('DROP TRIGGER poison');
    await fireCron(EVERY_MINUTE, now + waitAfter(1) - 1);
    expect(await undigested()).toHaveLength(1);
    await fireCron(EVERY_MINUTE, now + waitAfter(1));
    expect(await undigested()).toEqual([]);
    expect((await admin.call('GET', '/v1/admin/setbacks')).data).toEqual({ count: 0, setbacks: [] });
    const user = await signedInUser();
    expect((await user.call('GET', '/v1/admin/setbacks')).status).toBe(404);
  });

  it('that ends the process is put into backoff by the next run, which records what it begins', async () => {
    const begun: unknown[] = [];
    const recording = new Proxy(env.STORE, {
      get: (store, name) => {
        const own = Reflect.get(store, name, store);
        if (name !== 'get') return own.bind(store);
        return async (key: string) => {
          begun.push(await rowsWhere(`SELECT subject FROM setbacks WHERE job = 'digest'`));
          return store.get(key);
        };
      },
    });
    const now = Date.now();
    await publish(3005, 1000, now);
    await digestKingdoms(db, recording, now);
    await publish(3005, 1000, now + 1);
    await digestKingdoms(db, recording, now, { isAgain: true });
    expect(begun).toEqual([[], [{ subject: 'rok 3005' }]]);
    expect(await rowsWhere(`SELECT subject FROM setbacks WHERE job = 'digest'`)).toEqual([]);
  });

  it('is not caused by powers that add up beyond any integer', async () => {
    const now = Date.now();
    const most = { home_kingdom: 3010, alliance_tag: 'BIG', killpoints: null };
    const rows = Array.from({ length: 1100 }, (_, row) => governor(900_000 + row, Number.MAX_SAFE_INTEGER, most));
    const capture = { kingdom_id: 3010, captured_at: now, source: 'made up', id: 'big', item_id: null, version: 1 };
    await publishSnapshot(db, env.STORE, tableOf('rok', rows), capture);
    await fireCron(EVERY_MINUTE, now);
    expect(await undigested()).toEqual([]);
    const members = `SELECT alliances ->> '$[0].members' AS members FROM kingdom_days WHERE kingdom_id = 3010`;
    expect(await rowsWhere(members)).toEqual([{ members: 1100 }]);
  });
});
