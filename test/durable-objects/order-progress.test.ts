import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import type { ItemProgress } from '../../domain/orders/answers.ts';
import { waitAfter } from '../../domain/work.ts';
import type { ReadyItem } from '../../durable-objects/schema.ts';
import { handOver } from '../../worker/models/fleet/subtasks.ts';
import { repairItem } from '../../worker/models/orders/repairs.ts';
import { eventually } from '../support/eventually.ts';
import { type Caller, db } from '../worker/client.ts';
import { deliveryOf, place, placeAll, rowsOf, type Subtask } from './placed.ts';

const stateOf = async (user: Caller) => (await user.call('GET', '/v1/orders/')).data.orders[0].items[0].state;

describe('OrderProgress', () => {
  it('keeps staged rows through eviction and finishes from its alarm', async () => {
    const { user, object, subtasks } = await place(201);
    const [one, two] = subtasks as [Subtask, Subtask];
    expect(await object.stage([deliveryOf(201, one)])).toEqual(['accepted']);
    // A failure reported after the rows removes none of them.
    await object.fail({ subtask_id: one.id, item_id: one.item_id, reason: 'too late' });
    await evictDurableObject(object);
    expect(await object.stage([deliveryOf(201, one), deliveryOf(201, two)])).toEqual(['duplicate', 'accepted']);
    await runDurableObjectAlarm(object);
    await eventually(async () => expect(await stateOf(user)).toBe('done'));
    const staged = await runInDurableObject(object, (_, state) =>
      state.storage.sql.exec(`SELECT count(*) AS n FROM subtasks WHERE columns IS NOT NULL`).one(),
    );
    expect(staged).toEqual({ n: 0 });
    // Both subtasks have the same source, which is named once.
    expect((await user.call('GET', `/v1/order/item/${one.item_id}/`)).data.source).toBe('made up');
  });

  it('keeps rows that one call staged while another opened the same item', async () => {
    const { user, object, subtasks } = await place(297);
    const outcomes = await Promise.all(subtasks.map((subtask) => object.stage([deliveryOf(297, subtask)])));
    expect(outcomes).toEqual([['accepted'], ['accepted']]);
    await runDurableObjectAlarm(object);
    await eventually(async () => expect(await stateOf(user)).toBe('done'));
  });

  it('backs off an item that cannot be finished, longer each time, and finishes the others', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { user, object, subtasks } = await placeAll([211, 212, 213, 214, 215, 216, 217]);
    await env.DB.exec(
      `CREATE TRIGGER poison BEFORE INSERT ON snapshots WHEN NEW.kingdom_id < 217 BEGIN SELECT raise(ABORT, 'poisoned'); END`,
    );
    for (const subtask of subtasks) await object.stage([deliveryOf(subtask.kingdom_id, subtask)]);
    const states = async () =>
      (await user.call('GET', '/v1/orders/')).data.orders[0].items.map(({ state }: { state: string }) => state);
    await eventually(async () => expect((await states())[6]).toBe('done'));
    expect((await states()).slice(0, 6)).not.toContain('done');
    const held = () =>
      runInDurableObject(object, (_, state) =>
        state.storage.sql.exec(`SELECT tries, try_at FROM items WHERE state = 'finishing' ORDER BY tries`).toArray(),
      );
    await eventually(async () => {
      const tries = (await held()).map(({ tries: each }) => Number(each));
      expect(tries).toHaveLength(6);
      expect(Math.min(...tries)).toBeGreaterThan(1);
    });
    for (const { tries, try_at } of await held()) {
      expect(Number(try_at)).toBeGreaterThan(Date.now() + 5_000);
      expect(Number(try_at)).toBeLessThanOrEqual(Date.now() + waitAfter(Number(tries) - 1));
    }
    const seen = await env.DB.prepare(
      `SELECT count(*) AS n FROM setbacks WHERE job = 'finishing items' AND error LIKE '%poisoned%'`,
    ).first();
    expect(seen).toEqual({ n: 6 });
    // As in an outage of hours: no wait is longer than half an hour.
    await runInDurableObject(object, async (instance, state) => {
      state.storage.sql.exec('UPDATE items SET tries = 11, try_at = 0 WHERE kingdom_id = 211');
      await instance.alarm();
    });
    const late = (await held()).find(({ tries }) => tries === 12);
    expect(Number(late?.try_at)).toBeGreaterThan(Date.now() + 20 * 60_000);
    expect(Number(late?.try_at)).toBeLessThanOrEqual(Date.now() + 30 * 60_000);
    await env.DB.exec('DROP TRIGGER poison');
    // As if the last one had failed less often than the others, so that it comes first.
    const again = `UPDATE items SET try_at = 0, tries = CASE kingdom_id WHEN 216 THEN 1 ELSE 2 END`;
    await runInDurableObject(object, (_, state) => void state.storage.sql.exec(again));
    await runDurableObjectAlarm(object);
    await eventually(async () => expect(new Set(await states())).toEqual(new Set(['done'])));
    const finished = await env.DB.prepare(
      `SELECT kingdom_id FROM snapshots WHERE kingdom_id BETWEEN 211 AND 216 ORDER BY id`,
    ).raw<[number]>();
    expect(finished[0]).toEqual([216]);
    // An item is done shortly before its job failure is removed.
    const aside = env.DB.prepare(`SELECT count(*) AS n FROM setbacks WHERE job = 'finishing items'`);
    await eventually(async () => expect(await aside.first()).toEqual({ n: 0 }));
    logged.mockRestore();
  }, 60_000);

  it('finishes several items at once, but one that failed before alone', async () => {
    const { object, subtasks } = await placeAll([231, 232, 233, 234]);
    const underWay = new Set<number>();
    /** Kingdom → the most that were finished at a time while it was. */
    const beside = new Map<number, number>();
    await runInDurableObject(object, async (instance, state) => {
      const finish = Reflect.get(instance, 'finish') as (item: ReadyItem, claim: unknown) => Promise<unknown>;
      Reflect.set(instance, 'finish', async (item: ReadyItem, claim: unknown) => {
        underWay.add(item.kingdom_id);
        for (const each of underWay) beside.set(each, Math.max(beside.get(each) ?? 0, underWay.size));
        const ended = await finish.call(instance, item, claim);
        underWay.delete(item.kingdom_id);
        return ended;
      });
      await instance.stage(subtasks.map((subtask) => deliveryOf(subtask.kingdom_id, subtask)));
      await state.storage.deleteAlarm();
      state.storage.sql.exec('UPDATE items SET tries = 1 WHERE kingdom_id = 232');
      await instance.alarm();
    });
    expect([...beside].sort()).toEqual([
      [231, 3],
      [232, 1],
      [233, 3],
      [234, 3],
    ]);
  });

  it('ends an alarm only with all of its items, even if one can be neither finished nor noted as failed', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { object, subtasks } = await placeAll([236, 237, 238]);
    await env.DB.exec(
      `CREATE TRIGGER unnoted BEFORE INSERT ON setbacks BEGIN SELECT raise(ABORT, 'the database is away'); END`,
    );
    const finished: number[] = [];
    await runInDurableObject(object, async (instance, { storage }) => {
      const finish = Reflect.get(instance, 'finish') as (item: ReadyItem, claim: unknown) => Promise<unknown>;
      Reflect.set(instance, 'finish', async (item: ReadyItem, claim: unknown) => {
        if (item.kingdom_id === 236) throw new Error('cannot be finished');
        await scheduler.wait(300);
        const ended = await finish.call(instance, item, claim);
        finished.push(item.kingdom_id);
        return ended;
      });
      await instance.stage(subtasks.map((subtask) => deliveryOf(subtask.kingdom_id, subtask)));
      await storage.deleteAlarm();
      await expect(instance.alarm()).rejects.toThrow('the database is away');
      expect(finished.sort()).toEqual([237, 238]);
      await storage.deleteAlarm();
    });
    await env.DB.exec('DROP TRIGGER unnoted');
    logged.mockRestore();
  });

  it.each([
    ['closed', 239, { CLOSED: 'Back at 12:00 UTC.' }],
    ['misconfigured', 249, { ENVIRONMENT: 'production', SITE_ORIGIN: 'http://muster.test' }],
  ])('finishes nothing while the service is %s, and goes on once it is open', async (_, kingdom, changes) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { user, object, subtasks } = await place(kingdom);
    const snapshots = () =>
      env.DB.prepare('SELECT count(*) AS n FROM snapshots WHERE kingdom_id = ?').bind(kingdom).first('n');
    await runInDurableObject(object, async (instance, { storage }) => {
      const open = Reflect.get(instance, 'env') as object;
      Reflect.set(instance, 'env', { ...open, ...changes });
      await instance.stage(subtasks.map((subtask) => deliveryOf(kingdom, subtask)));
      await storage.deleteAlarm();
      await instance.alarm();
      expect(await snapshots()).toBe(0);
      expect(await storage.getAlarm()).toBeGreaterThan(Date.now());
      Reflect.set(instance, 'env', open);
    });
    await runDurableObjectAlarm(object);
    await eventually(async () => expect(await stateOf(user)).toBe('done'));
    expect(await snapshots()).toBe(1);
    logged.mockRestore();
  });

  it('finishes again after a crash while finishing, with the same rows and snapshot', async () => {
    const { user, object, subtasks } = await place(202);
    await object.stage(subtasks.map((subtask) => deliveryOf(202, subtask)));
    await eventually(async () => expect(await stateOf(user)).toBe('done'));
    const figures = () =>
      env.DB.prepare(
        `SELECT (SELECT count(*) FROM snapshots WHERE kingdom_id = 202) AS snapshots,
           (SELECT count(*) FROM governors WHERE kingdom_id = 202) AS governors,
           (SELECT sum(power) FROM governors WHERE kingdom_id = 202) AS power,
           (SELECT count(*) FROM governor_changes WHERE kingdom_id = 202) AS changes`,
      ).first();
    const before = await figures();
    expect(before).toMatchObject({ snapshots: 1, governors: 200, changes: 0 });
    // Simulates a crash between D1's batch and the object's own record.
    await runInDurableObject(object, (_, state) => {
      state.storage.sql.exec(`UPDATE items SET state = 'finishing'`);
      for (const subtask of subtasks)
        state.storage.sql.exec(
          `UPDATE subtasks SET state = 'staged', columns = ? WHERE subtask_id = ?`,
          deliveryOf(202, subtask).columns,
          subtask.id,
        );
    });
    await object.lookAgain((subtasks[0] as Subtask).item_id);
    await runDurableObjectAlarm(object);
    expect(await figures()).toEqual(before);
  });

  describe('while a repair begins', () => {
    const versionsOf = async (user: Caller, { item_id }: Subtask) =>
      (await user.call('GET', `/v1/order/item/${item_id}/`)).data.versions.map(
        ({ version, rows }: Record<string, number>) => [version, rows],
      );
    /** An order whose first hundred ranks came and whose second hundred could not be read. */
    const halfRead = async (kingdom: number) => {
      const placed = await place(kingdom);
      const [one, two] = placed.subtasks as [Subtask, Subtask];
      await env.DB.prepare(`UPDATE subtasks SET state = 'failed' WHERE id = ?`).bind(two.id).run();
      return { ...placed, one, two, missing: deliveryOf(kingdom, two, 1_700_000_060_000, 2) };
    };
    /** Checks that the repair is open, and that the missing rows end it as a second version. */
    const endsRepaired = async ({ user, object, one, missing }: Awaited<ReturnType<typeof halfRead>>) => {
      expect(await stateOf(user)).toBe('open');
      expect(await object.stage([missing])).toEqual(['accepted']);
      expect(await object.stage([missing, { ...missing, version: 1 }])).toEqual(['duplicate', 'lost']);
      await eventually(async () => expect(await stateOf(user)).toBe('done'));
      expect(await versionsOf(user, one)).toEqual([
        [2, 200],
        [1, 100],
      ]);
    };
    const localState = ({ object, one }: Awaited<ReturnType<typeof halfRead>>) =>
      runInDurableObject(object, (_, state) =>
        state.storage.sql.exec(`SELECT version, state FROM items WHERE item_id = ?`, one.item_id).one(),
      ) as Promise<unknown>;

    it('the previous version’s end, in D1 but not yet in the object, leaves the repair open', async () => {
      const placed = await halfRead(206);
      const { user, object, one, two } = placed;
      let repaired = 0;
      // The customer asks for the repair between D1's last write of version 1 and the object's own.
      const between = await runInDurableObject(object, (instance) => {
        const session = Reflect.get(instance, 'session') as D1DatabaseSession;
        const batch = session.batch.bind(session);
        return vi.spyOn(session, 'batch').mockImplementation(async (statements) => {
          const results = await batch(statements);
          if (repaired === 0 && (await stateOf(user)) === 'done') {
            repaired = -1;
            await handOver(db, 'group/bot', [{ id: one.id, lease: 'a lease', version: 1 }], null);
            repaired = (await user.call('POST', `/v1/order/${two.item_id}/repair`)).data.requeued;
          }
          return results as never;
        });
      });
      await object.stage([deliveryOf(206, one)]);
      await eventually(() => expect(repaired).toBe(1));
      between.mockRestore();
      await eventually(async () => expect(await localState(placed)).toEqual({ version: 2, state: 'open' }));
      await endsRepaired(placed);
    });

    it('an object that crashed before recording the end starts the repair instead', async () => {
      const placed = await halfRead(207);
      const { user, object, one, two } = placed;
      await object.stage([deliveryOf(207, one)]);
      await handOver(db, 'group/bot', [{ id: one.id, lease: 'a lease', version: 1 }], null);
      await eventually(async () => expect(await stateOf(user)).toBe('done'));
      await runInDurableObject(object, (_, state) => {
        state.storage.sql.exec(`UPDATE items SET state = 'finishing'`);
        void state.storage.setAlarm(Date.now() + 60_000);
      });
      // The route wrote the repair and died before it could tell the object.
      expect(await repairItem(db, { item: { ...two, failed_count: 1 }, badRows: [] })).toBe(1);
      await runDurableObjectAlarm(object);
      expect(await localState(placed)).toEqual({ version: 2, state: 'open' });
      await endsRepaired(placed);
    });
  });

  it('keeps the later reading of a governor who moved between two ranges', async () => {
    const { user, object, subtasks } = await place(203);
    const [one, two] = subtasks as [Subtask, Subtask];
    const moved = rowsOf(203, two);
    Object.assign(moved.governor_id as unknown[], [203 * 100_000 + 1]);
    Object.assign(moved.power as unknown[], [1]);
    await object.stage([deliveryOf(203, one), deliveryOf(203, two, 1_700_000_060_000, 1, moved)]);
    await eventually(async () => expect(await stateOf(user)).toBe('done'));
    const rows = await env.DB.prepare(
      `SELECT count(*) AS n, min(power) AS weakest FROM governors WHERE kingdom_id = 203`,
    ).first();
    expect(rows).toEqual({ n: 199, weakest: 1 });
  });

  it('packs rows that the first release staged as text, and ends an item with unreadable rows', async () => {
    const { user, object, subtasks } = await place(208);
    const [one, two] = subtasks as [Subtask, Subtask];
    await object.stage([deliveryOf(208, one)]);
    await runInDurableObject(object, (_, { storage: { sql, kv } }) => {
      sql.exec(
        `ALTER TABLE subtasks RENAME TO packed;
         CREATE TABLE subtasks (subtask_id INTEGER PRIMARY KEY, item_id TEXT NOT NULL, number INTEGER NOT NULL,
           state TEXT NOT NULL, error TEXT, captured_at INTEGER, source TEXT, columns TEXT);
         INSERT INTO subtasks
           SELECT subtask_id, item_id, number, state, error, captured_at, source, columns FROM packed;
         DROP TABLE packed;`,
      );
      sql.exec(`UPDATE subtasks SET columns = ? WHERE subtask_id = ?`, JSON.stringify(rowsOf(208, one)), one.id);
      sql.exec(`UPDATE subtasks SET columns = 'cut {', state = 'staged', captured_at = 1 WHERE subtask_id = ?`, two.id);
      kv.put('schema', 4);
    });
    await evictDurableObject(object);
    expect(await object.stage([deliveryOf(208, one)])).toEqual(['duplicate']);
    await runDurableObjectAlarm(object);
    await eventually(async () => expect(await stateOf(user)).toBe('done'));
    const rows = await env.DB.prepare(
      `SELECT count(*) AS n, min(power) AS weakest, max(captured_at) AS read_at FROM governors WHERE kingdom_id = 208`,
    ).first();
    expect(rows).toEqual({ n: 100, weakest: 100_000_000 - 100 * 1000, read_at: 1_700_000_000_000 });
    await runInDurableObject(object, (_, { storage: { sql } }) => {
      expect(sql.exec(`SELECT error FROM subtasks WHERE subtask_id = ?`, two.id).one()).toEqual({
        error: 'These rows could not be read any more.',
      });
      expect(() => sql.exec(`UPDATE subtasks SET columns = 'text'`)).toThrow(/CHECK/);
    });
  });

  it('sends a watching browser the current state and every change, also after hibernation', async () => {
    const { user, orderId, object, subtasks } = await place(204);
    const response = await user.fetch(`/v1/orders/live?orders=${orderId}`, { headers: { upgrade: 'websocket' } });
    expect(response.status).toBe(101);
    const socket = response.webSocket as WebSocket;
    const told: ItemProgress[][] = [];
    socket.accept();
    socket.addEventListener('message', ({ data }) => {
      told.push(JSON.parse(data as string).items);
    });
    const latest = () => told.at(-1)?.[0];
    await eventually(() => expect(latest()).toMatchObject({ state: 'open', subtask_count: 2, incomplete_count: 2 }));
    const [one, two] = subtasks as [Subtask, Subtask];
    await object.stage([deliveryOf(204, one)]);
    await eventually(() => expect(latest()).toMatchObject({ incomplete_count: 1 }));
    await evictDurableObject(object);
    await object.stage([deliveryOf(204, two)]);
    await eventually(() => expect(latest()).toMatchObject({ state: 'done', incomplete_count: 0, has_results: true }));
    socket.close();
  });

  it('records what changed since a governor was last seen', async () => {
    const first = await place(205, 100);
    await first.object.stage(first.subtasks.map((subtask) => deliveryOf(205, subtask)));
    await eventually(async () => expect(await stateOf(first.user)).toBe('done'));
    const second = await place(205, 100);
    const subtask = second.subtasks[0] as Subtask;
    const later = rowsOf(205, subtask);
    Object.assign(later.name as unknown[], { 0: 'New name' });
    Object.assign(later.alliance_tag as unknown[], { 1: 'NEW' });
    await second.object.stage([deliveryOf(205, subtask, 1_700_086_400_000, 1, later)]);
    await eventually(async () => expect(await stateOf(second.user)).toBe('done'));
    const { results } = await env.DB.prepare(
      `SELECT governor_id, field, old_value, new_value FROM governor_changes WHERE kingdom_id = 205 ORDER BY governor_id`,
    ).all();
    expect(results).toEqual([
      { governor_id: 20_500_001, field: 'name', old_value: 'Governor 1 of 205', new_value: 'New name' },
      { governor_id: 20_500_002, field: 'alliance_tag', old_value: 'T2', new_value: 'NEW' },
    ]);
  });

  it('drops everything an hour after its order has ended, and works again if needed', async () => {
    const { user, orderId, object, subtasks } = await place(291, 300);
    const sizeOf = () => runInDurableObject(object, (_, { storage }) => storage.sql.databaseSize);
    const tablesOf = () =>
      runInDurableObject(object, (_, { storage }) =>
        storage.sql.exec(`SELECT name FROM sqlite_master WHERE name IN ('items', 'subtasks')`).toArray(),
      );
    await object.stage(subtasks.slice(0, 1).map((one) => deliveryOf(291, one)));
    await object.watch(user.id, 'closed already');
    // While bots are at work, nothing is dropped.
    await runDurableObjectAlarm(object);
    expect(await tablesOf()).toHaveLength(2);
    await object.stage(subtasks.slice(1).map((one) => deliveryOf(291, one)));
    await runDurableObjectAlarm(object);
    expect(await stateOf(user)).toBe('done');
    const alarm = await runInDurableObject(object, (_, { storage }) => storage.getAlarm());
    expect(alarm).toBeGreaterThan(Date.now() + 3_500_000);
    // Records it in D1 like the hand-in.
    await env.DB.prepare(`UPDATE subtasks SET state = 'done' WHERE order_id = ?`).bind(orderId).run();
    const full = await sizeOf();
    await runDurableObjectAlarm(object);
    expect(await tablesOf()).toEqual([]);
    expect(await sizeOf()).toBeLessThan(full / 4);
    // A late repeat is still recognised, and a repair continues where the order ended.
    expect(await object.stage([deliveryOf(291, subtasks[0] as Subtask)])).toEqual(['duplicate']);
    await env.DB.prepare(`UPDATE subtasks SET state = 'failed' WHERE id = ?`).bind(subtasks[0]?.id).run();
    await env.DB.prepare(`UPDATE items SET failed_count = 1 WHERE order_id = ?`).bind(orderId).run();
    await object.giveUp('none');
    await runDurableObjectAlarm(object);
    expect(await tablesOf()).toEqual([]);
    const [item] = (await user.call('GET', '/v1/orders/')).data.orders[0].items;
    expect((await user.call('POST', `/v1/order/${item.item_id}/repair`)).status).toBe(200);
    expect(await object.stage([deliveryOf(291, subtasks[0] as Subtask, 1_700_000_000_001, 2)])).toEqual(['accepted']);
  });
});
