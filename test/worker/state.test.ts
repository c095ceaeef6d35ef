import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { dayOf } from '../../domain/days.ts';
import { readBoardManifest } from '../../worker/gateways/board-store.ts';
import {
  beginRestore,
  emptyTables,
  endRestore,
  requeueAll,
  restoreUnderWay,
  triggersOf,
} from '../../worker/models/service/restore.ts';
import {
  countTable,
  insertRows,
  keyOf,
  rowsAfter,
  storedColumns,
  tablesOf,
} from '../../worker/models/service/tables.ts';
import { publishDay } from '../../worker/services/boards/publish-boards.ts';
import { digestKingdoms } from '../../worker/services/scans/digest-kingdoms.ts';
import { verifyState } from '../../worker/services/service/verify-state.ts';
import { bot, db, scanOf, settled, signedInUser, work } from './client.ts';
import { cell } from './people.ts';
import { listingFew } from './stores.ts';

/** The operator's checks of the whole state, and the rows of a copy. */

const NOW = Date.now();
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const flaws = async () => (await verifyState(db, listingFew(env.STORE, 20), NOW)).flaws;

const state = { userId: '', done: 0, open: 0, item: '', openItem: '', key: '' };

/** Breaks the state, returns the flaws found, and restores it. */
async function bent(bend: string, back: string, ...values: unknown[]): Promise<string[]> {
  await run(bend, ...values.slice(0, bend.split('?').length - 1));
  const told = await flaws();
  await run(back, ...values.slice(0, back.split('?').length - 1));
  return told;
}

beforeAll(async () => {
  const user = await signedInUser(1000);
  const order = async (kingdom: number) =>
    (await user.call('POST', '/v1/order/create', { orders: [scanOf([kingdom], 100)] })).data.order_id as number;
  state.userId = user.id;
  state.done = await order(801);
  await work(await bot(), 12);
  const itemOf = (id: number) => cell<string>('SELECT id FROM items WHERE order_id = ?', id);
  state.item = await itemOf(state.done);
  await settled(user);
  state.key = await cell('SELECT key FROM snapshots WHERE item_id = ?', state.item);
  state.open = await order(802);
  state.openItem = await itemOf(state.open);
  while ((await digestKingdoms(db, env.STORE)) > 0);
});

describe('a consistent state', () => {
  it('has no flaw and is counted', async () => {
    expect(await verifyState(db, env.STORE, NOW)).toMatchObject({ flaws: [], snapshots: 1, boards: 0 });
  });
});

describe('in the database, verification finds', () => {
  it('a balance that is not the sum of its entries', async () => {
    const told = await bent(
      'UPDATE users SET balance_cents = balance_cents + 1 WHERE id = ?',
      'UPDATE users SET balance_cents = balance_cents - 1 WHERE id = ?',
      state.userId,
    );
    expect(told).toEqual([
      `The balance of a user is not the sum of their entries: ${state.userId}: 901 instead of 900.`,
    ]);
  });

  it('an order charged differently from its total or its items', async () => {
    const total = await bent(
      'UPDATE orders SET total_cents = 51 WHERE id = ?',
      'UPDATE orders SET total_cents = 50 WHERE id = ?',
      state.done,
    );
    expect(total).toEqual([`An order was not charged what its items cost: ${state.done}: 51 charged as 50.`]);
    const items = await bent(
      'UPDATE items SET price_cents = 49 WHERE id = ?',
      'UPDATE items SET price_cents = 50 WHERE id = ?',
      state.item,
    );
    expect(items).toEqual([`An order was not charged what its items cost: ${state.done}: 50 charged as 50.`]);
  });

  it('a refund that is in no ledger', async () => {
    const told = await bent(
      'UPDATE items SET returned_cents = 20 WHERE id = ?',
      'UPDATE items SET returned_cents = 0 WHERE id = ?',
      state.item,
    );
    expect(told).toEqual([`What came back for an order is not what its items say: ${state.done}: 0 instead of 20.`]);
  });

  it.each([
    ['done', `state = 'done', snapshot_id = NULL`, true],
    ['cancelled', `state = 'cancelled', snapshot_id = NULL`, true],
    ['cancelled', `state = 'cancelled'`, false],
    ['failed', `state = 'failed', snapshot_id = NULL`, true],
    ['failed', `state = 'failed', snapshot_id = NULL, failed_count = 1`, false],
    ['failed', `state = 'failed'`, false],
    ['open', `state = 'open'`, false],
    ['open', `state = 'open', subtask_count = 0`, false],
  ])('a paid item without result, work or refund (%s, %s: %s)', async (word, bend, isFlaw) => {
    const told = await bent(
      `UPDATE items SET ${bend} WHERE id = ?`,
      `UPDATE items SET state = 'done', failed_count = 0, subtask_count = 1,
         snapshot_id = (SELECT id FROM snapshots WHERE item_id = items.id) WHERE id = ?`,
      state.item,
    );
    const of = `A paid item has neither its snapshot, nor open work, nor its price back: ${state.item} (${word}).`;
    expect(told.filter((flaw) => flaw.startsWith('A paid item'))).toEqual(isFlaw ? [of] : []);
  });

  it('an item with wrong subtask counts', async () => {
    const told = (change: string, back: string, item: string) =>
      bent(`UPDATE items SET ${change} WHERE id = ?`, `UPDATE items SET ${back} WHERE id = ?`, item);
    const of = (item: string) => `An item does not have the subtasks that it counts: ${item}.`;
    expect(await told('subtask_count = 2', 'subtask_count = 1', state.item)).toEqual([of(state.item)]);
    expect(await told('incomplete_count = 2', 'incomplete_count = 1', state.openItem)).toEqual([of(state.openItem)]);
    expect(await told('incomplete_count = 2', 'incomplete_count = 0', state.item)).toEqual([]);
    const stuck = await bent(
      `UPDATE items SET incomplete_count = 0 WHERE id = ?`,
      `UPDATE items SET incomplete_count = 1 WHERE id = ?`,
      state.openItem,
    );
    expect(stuck).toEqual([
      `A paid item has neither its snapshot, nor open work, nor its price back: ${state.openItem} (open).`,
      of(state.openItem),
    ]);
  });

  it('a kingdom with the wrong newest scan, and a scan of no item', async () => {
    const kingdom = await bent(
      'UPDATE kingdoms SET captured_at = captured_at - 1 WHERE kingdom_id = ?',
      'UPDATE kingdoms SET captured_at = captured_at + 1 WHERE kingdom_id = ?',
      801,
    );
    expect(kingdom).toEqual(['A kingdom does not know its newest scan: rok 801.']);
    const scan = await bent(
      `UPDATE snapshots SET item_id = 'none' WHERE key = ?1`,
      `UPDATE snapshots SET item_id = '${state.item}' WHERE key = ?1`,
      state.key,
    );
    expect(scan).toEqual([`A snapshot belongs to an item that does not exist: ${state.key}.`]);
  });

  it('days past their retention and not scanned lately: five, and a count of the rest', async () => {
    const days = Array.from({ length: 7 }, (_, index) => `2020-01-0${index + 1}`);
    const snapshot = await cell<number>('SELECT id FROM snapshots WHERE key = ?', state.key);
    for (const day of days)
      await run(
        `INSERT INTO kingdom_days (game, kingdom_id, day, captured_at, snapshot_id, totals, alliances)
         VALUES ('rok', 803, ?, 1, ?, '{}', '[]')`,
        day,
        snapshot,
      );
    const old = (await flaws()).filter((flaw) => flaw.startsWith('Daily figures'));
    expect(old).toEqual([
      ...days.slice(0, 5).map((day) => `Daily figures are older than is kept: rok 803 ${day}.`),
      'Daily figures are older than is kept: 2 more.',
    ]);
    await run('DELETE FROM kingdom_days WHERE kingdom_id = 803 AND day > ?', '2020-01-01');
    const came = (created_at: number) =>
      bent(
        `INSERT INTO snapshots (key, game, kind, kingdom_id, captured_at, source, rows, bytes, quality, version, created_at)
         VALUES ('lately', 'rok', 'history', 803, ${Date.parse('2020-01-01T12:00Z')}, '', 0, 0, '{}', 1, ?)`,
        `DELETE FROM snapshots WHERE key = 'lately'`,
        created_at,
      );
    const isOld = async (created_at: number) =>
      (await came(created_at)).some((flaw) => flaw.startsWith('Daily figures'));
    expect([await isOld(NOW), await isOld(NOW - 2 * 86_400_000), await isOld(NOW - 2 * 86_400_000 + 1)]).toEqual([
      false,
      true,
      false,
    ]);
    await run('DELETE FROM kingdom_days WHERE kingdom_id = 803');
    expect(await flaws()).toEqual([]);
  });

  it('an incomplete search index, and an interrupted restore', async () => {
    await run(`INSERT INTO search_index (search_index) VALUES ('delete-all')`);
    expect(await flaws()).toEqual(['The search index search_index does not have what its table has.']);
    await run(`INSERT INTO search_index (search_index) VALUES ('rebuild')`);
    const told = await bent('CREATE TABLE restore_under_way (name TEXT, sql TEXT)', 'DROP TABLE restore_under_way');
    expect(told).toEqual(['A restore was cut short: run it again.']);
  });
});

describe('in the bucket, verification finds', () => {
  beforeAll(async () => {
    await publishDay(db, env.STORE, 'rok', dayOf(NOW), NOW);
  });

  it('nothing wrong with complete boards', async () => {
    expect(await verifyState(db, env.STORE, NOW)).toMatchObject({ flaws: [], boards: 5 });
  });

  /** Returns the flaws found while an object is replaced or missing. */
  async function instead(key: string, bytes: Uint8Array | null): Promise<string[]> {
    const held = await (await env.STORE.get(key))?.arrayBuffer();
    if (bytes) await env.STORE.put(key, bytes);
    else await env.STORE.delete(key);
    const told = await flaws();
    if (held) await env.STORE.put(key, held);
    else await env.STORE.delete(key);
    return told;
  }

  it('a scan that is missing, unreadable, or of the wrong length or row count', async () => {
    const { key } = state;
    const bytes = new Uint8Array((await (await env.STORE.get(key))?.arrayBuffer()) as ArrayBuffer);
    expect(await instead(key, null)).toEqual([`The snapshot ${key} has a row and no object.`]);
    expect(await instead(key, bytes.slice(1))).toEqual([
      `The snapshot ${key} has ${bytes.length - 1} bytes instead of ${bytes.length}.`,
    ]);
    expect(await instead(key, new Uint8Array(bytes.length))).toEqual([
      expect.stringContaining(`The snapshot ${key} cannot be read: `),
    ]);
    const rows = await bent(
      'UPDATE snapshots SET rows = 11 WHERE key = ?',
      'UPDATE snapshots SET rows = 12 WHERE key = ?',
      key,
    );
    expect(rows).toEqual([`The snapshot ${key} has 12 rows instead of 11.`]);
  });

  it('every missing scan, however many there are', async () => {
    await run(
      `INSERT INTO snapshots (key, game, kind, kingdom_id, captured_at, source, rows, bytes, quality, version, created_at)
       WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
       SELECT 'scan-' || i, 'rok', 'history', 1, 1, '', 1, 1, '{}', 1, 1 FROM n`,
    );
    const { flaws: told, snapshots } = await verifyState(db, env.STORE, NOW);
    await run(`DELETE FROM snapshots WHERE key LIKE 'scan-%'`);
    expect(snapshots).toBe(202);
    expect(told.sort()).toEqual(
      Array.from({ length: 201 }, (_, index) => `The snapshot scan-${100 + index} has a row and no object.`),
    );
  });

  it('a board that lacks a part or rows', async () => {
    const { manifest } = await readBoardManifest(env.STORE);
    const day = dayOf(NOW);
    const version = manifest.rok.days[day]?.boards['governor-power']?.version;
    const { objects } = await env.STORE.list({ prefix: 'boards/' });
    const part = (name: string) =>
      objects.find(({ key }) => key.includes(`governor-power`) && key.includes(`${version}/${name}.`))?.key ?? '';
    for (const name of ['page-0', 'all', 'ranks'])
      expect(await instead(part(name), null)).toEqual([
        `The board rok governor-power of ${day} lacks ${name}, which its manifest names.`,
      ]);
    const list = JSON.stringify([[1, 1]]);
    const packed = await new Response(new Blob([list]).stream().pipeThrough(new CompressionStream('gzip'))).bytes();
    expect(await instead(part('ranks'), packed)).toEqual([
      `The board rok governor-power of ${day} has 1 rows instead of 12.`,
    ]);
  });

  it('stray objects: twenty of them, and a count of the rest', async () => {
    const group = await cell<string>('SELECT id FROM bot_groups LIMIT 1');
    const at = dayOf(NOW);
    await run(
      `INSERT INTO imports (id, user_id, name, content_hash, said, state, created_at, expires_at)
       VALUES ('file', ?, '', '', '{}', 'waiting', 1, 1)`,
      state.userId,
    );
    const known = [
      'exports/a',
      'sums/a',
      `imports/${state.userId}/file/a`,
      `own/${state.userId}/file/a`,
      `folder-reports/${group}/a`,
      `boards/rok/governor-power/${at}/older/all`,
    ];
    const strays = [
      'boards/rok/governor-power/2020-01-01/older/all',
      'folder-reports/nobody/a',
      `imports/${state.userId}/none/a`,
    ];
    const put = (keys: readonly string[]) => Promise.all(keys.map((key) => env.STORE.put(key, 'x')));
    const { objects } = await env.STORE.list({ prefix: 'boards/rok' });
    // Board keys begin with game, board and day.
    const folder = (objects[0]?.key ?? '').split('/').slice(0, -2);
    await put([...known.slice(0, 5), `${folder.join('/')}/older/all.json.gz`, ...strays]);
    expect(await flaws()).toEqual(strays.map((key) => `The object ${key} belongs to nothing that is known.`));
    const more = Array.from({ length: 25 }, (_, index) => `stray/${10 + index}`);
    await put(more);
    const told = await flaws();
    expect(told).toHaveLength(21);
    expect(told.at(-1)).toBe('8 more objects belong to nothing.');
    await env.STORE.delete([...more, ...known, ...strays, `${folder.join('/')}/older/all.json.gz`]);
    await run(`DELETE FROM imports WHERE id = 'file'`);
    expect(await flaws()).toEqual([]);
  });
});

describe('a copy', () => {
  it('reads every table in pages, parents first, and restores it unchanged', async () => {
    const tables = await tablesOf(db);
    const names = tables.map(({ name }) => name);
    expect(names.filter((name) => /^(sqlite_|_cf_|d1_migrations|search_index$)/.test(name))).toEqual([]);
    for (const { name, refersTo } of tables)
      for (const { table } of refersTo) expect(names.indexOf(table)).toBeLessThan(names.indexOf(name));
    const all = async () => {
      const copied = new Map<string, unknown[][]>();
      for (const shape of tables) {
        const rows = [];
        for (let after = null as Parameters<typeof rowsAfter>[2]; ; ) {
          const page = await rowsAfter(db, shape, after, 10);
          rows.push(...page);
          const last = page.at(-1);
          if (!last) break;
          after = keyOf(shape, last);
        }
        expect([shape.name, rows.length]).toEqual([shape.name, await countTable(db, shape.name)]);
        copied.set(shape.name, rows);
      }
      return copied;
    };
    const copied = await all();
    const triggers = await triggersOf(db);
    expect(await restoreUnderWay(db)).toBeNull();
    await beginRestore(db);
    expect(await triggersOf(db)).toEqual([]);
    expect(await restoreUnderWay(db)).toEqual(triggers);
    await emptyTables(db, tables);
    expect(await countTable(db, 'users')).toBe(0);
    for (const shape of tables)
      if (copied.get(shape.name)?.length)
        await insertRows(db, shape.name, storedColumns(shape), copied.get(shape.name) as never);
    await endRestore(db, triggers);
    expect(await restoreUnderWay(db)).toBeNull();
    expect(await triggersOf(db)).toEqual(triggers);
    expect(await all()).toEqual(copied);
    await run(`INSERT INTO search_index (search_index) VALUES ('rebuild')`);
    expect(await flaws()).toEqual([]);
  });

  it('requeues open work, and nothing else', async () => {
    const user = await signedInUser();
    const { data } = await user.call('POST', '/v1/order/create', { orders: [scanOf([811, 812], 200)] });
    const items = (
      await env.DB.prepare('SELECT id FROM items WHERE order_id = ? ORDER BY position')
        .bind(data.order_id)
        .all<{ id: string }>()
    ).results;
    const [kept, stopped] = items.map(({ id }) => id) as [string, string];
    await user.call('POST', `/v1/order/${stopped}/cancel`);
    await run(`UPDATE subtasks SET state = 'done', attempts = 3, error = 'x' WHERE item_id = ? AND number = 0`, kept);
    await run(`UPDATE items SET preparing_until = 5, incomplete_count = 1 WHERE id = ?`, kept);
    const before = await env.DB.prepare('SELECT * FROM subtasks WHERE item_id IN (?, ?)')
      .bind(stopped, state.item)
      .all();
    expect(await requeueAll(db, NOW)).toBe(2);
    const rows = await env.DB.prepare(
      'SELECT number, state, attempts, lease, error, due FROM subtasks WHERE item_id = ? ORDER BY number',
    )
      .bind(kept)
      .all();
    expect(rows.results).toEqual(
      [0, 1].map((number) => ({
        number,
        state: 'waiting',
        attempts: 0,
        lease: null,
        error: null,
        due: NOW + number * 1000,
      })),
    );
    const item = (id: string) =>
      env.DB.prepare('SELECT state, version, preparing_until, incomplete_count FROM items WHERE id = ?')
        .bind(id)
        .first();
    expect(await item(kept)).toEqual({ state: 'open', version: 2, preparing_until: null, incomplete_count: 2 });
    expect(await item(state.item)).toMatchObject({ state: 'done', version: 1 });
    expect(await item(stopped)).toMatchObject({ state: 'cancelled', version: 1 });
    const after = await env.DB.prepare('SELECT * FROM subtasks WHERE item_id IN (?, ?)')
      .bind(stopped, state.item)
      .all();
    expect(after.results).toEqual(before.results);
  });
});
