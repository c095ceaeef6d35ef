import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { LibraryScan } from '../../domain/library/answers.ts';
import { eventually } from '../support/eventually.ts';
import { bot, type Person, scanOf, signedInUser, work } from './client.ts';
import { fileOf, keep } from './own-scans.ts';
import { expectParts } from './parts.ts';
import { cell } from './people.ts';

/** The scan library as a list: pages, filters, labels and deletion. */

const NOON = Date.UTC(2026, 0, 5, 12);
const list = async (user: Person, query = '') => {
  const { status, data, msg } = await user.call('GET', `/v1/scans/?${query}`);
  if (status !== 200) throw new Error(msg);
  return data as {
    scans: LibraryScan[];
    next: string | null;
    kingdoms: { game: string; kingdom_id: number; scans: number }[];
    tags: string[];
  };
};
const ids = (scans: readonly LibraryScan[]): string[] => scans.map(({ scan_id }) => scan_id);

/** Inserts own scans without files, because lists read no files. */
async function own(
  user: Person,
  scans: readonly { id: string; at?: number; kingdom?: number; game?: string; source?: string }[],
): Promise<void> {
  await env.DB.batch(
    scans.map(({ id, at = NOON, kingdom = 4001, game = 'rok', source = 'a file.csv' }) =>
      env.DB.prepare(
        `INSERT INTO scans (id, user_id, game, kingdom_id, captured_at, key, source, dialect, rows, bytes, quality,
           content_hash, created_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, 'key ' || ?1, ?6, '', 1, 1, '{"ok":1}', ?1, 1, 9e12)`,
      ).bind(id, user.id, game, kingdom, at, source),
    ),
  );
}

/** Orders a scan, waits for its results and returns its id. */
async function bought(user: Person, kingdom: number): Promise<string> {
  await user.call('POST', '/v1/order/create', { orders: [scanOf([kingdom])] });
  await work(await bot(), 3);
  return eventually(async () => {
    const [item] = (await user.call('GET', '/v1/orders/')).data.orders[0].items;
    expect(item.has_results).toBe(true);
    return item.item_id as string;
  });
}

describe('the list', () => {
  test('is paged by 50, newest first, with each scan once even at equal times', async () => {
    const [user, other] = [await signedInUser(0), await signedInUser(0)];
    const name = (index: number) => `own-${String(index).padStart(3, '0')}`;
    await own(
      user,
      Array.from({ length: 101 }, (_, index) => ({
        id: name(index),
        at: index < 80 ? NOON : NOON + index,
        game: index % 2 ? 'cod' : 'rok',
      })),
    );
    await own(other, [{ id: 'own-other', at: NOON + 7 }]);
    const first = await list(user);
    expect(first.scans).toHaveLength(50);
    const second = await list(user, `before=${first.next}`);
    expect(second.scans).toHaveLength(50);
    const third = await list(user, `before=${second.next}`);
    expect(third.next).toBeNull();
    // Sorted by time, then by id, both descending.
    expect([first, second, third].flatMap(({ scans }) => ids(scans))).toEqual(
      Array.from({ length: 101 }, (_, index) => name(100 - index)),
    );
    await env.DB.prepare(`DELETE FROM scans WHERE id = 'own-000'`).run();
    expect((await list(user, `before=${first.next}`)).next).toBeNull();
    expect(first.kingdoms).toEqual([
      { game: 'cod', kingdom_id: 4001, scans: 50 },
      { game: 'rok', kingdom_id: 4001, scans: 51 },
    ]);
  });

  test('filters by game, kingdom, tag, origin and words, alone and combined', async () => {
    const user = await signedInUser();
    const item = await bought(user, 1701);
    await own(user, [
      { id: 'own-a', kingdom: 1701, source: 'Winter.csv' },
      { id: 'own-b', kingdom: 1702 },
      { id: 'own-c', kingdom: 1701, game: 'cod' },
    ]);
    await user.call('PATCH', '/v1/scans/own-b', { name: 'Before PASS 4', tags: ['war', 'alpha'], note: 'from Mia' });
    await user.call('PATCH', `/v1/scans/${item}`, { tags: ['war'] });
    const found = async (query: string) => ids((await list(user, query)).scans).sort();
    expect(await found('game=cod')).toEqual(['own-c']);
    expect(await found('kingdom=1701')).toEqual([item, 'own-a', 'own-c'].sort());
    expect(await found('tag=war')).toEqual([item, 'own-b'].sort());
    expect(await found('tag=wa')).toEqual([]);
    expect(await found('origin=bought')).toEqual([item]);
    expect(await found('origin=imported')).toEqual(['own-a', 'own-b', 'own-c']);
    for (const word of ['pass', 'MIA', '1702']) expect(await found(`search=${word}`)).toEqual(['own-b']);
    expect(await found('search=winter')).toEqual(['own-a']);
    expect(await found('search=%25')).toEqual([]);
    expect(await found('kingdom=1701&game=rok&origin=imported')).toEqual(['own-a']);
    const outline = await list(user, 'game=cod');
    expect(outline.tags).toEqual(['alpha', 'war']);
    expect(outline.kingdoms).toEqual([
      { game: 'cod', kingdom_id: 1701, scans: 1 },
      { game: 'rok', kingdom_id: 1701, scans: 2 },
      { game: 'rok', kingdom_id: 1702, scans: 1 },
    ]);
    // A bought history is not a scan.
    await env.DB.prepare(`UPDATE snapshots SET kind = 'history' WHERE item_id = ?`).bind(item).run();
    expect(await found('origin=bought')).toEqual([]);
  });
});

describe('the labels of a scan', () => {
  test('stay unless changed, can be cleared, and belong to one user', async () => {
    const [user, other] = [await signedInUser(0), await signedInUser(0)];
    await own(user, [{ id: 'own-named' }]);
    await own(other, [{ id: 'own-others' }]);
    const label = async (labels: object) => (await user.call('PATCH', '/v1/scans/own-named', labels)).data;
    await label({ name: 'First', tags: ['a'], note: 'n' });
    expect(await label({ name: 'Second' })).toMatchObject({ name: 'Second', tags: ['a'], note: 'n' });
    expect(await label({ tags: [], note: '' })).toMatchObject({ name: 'Second', tags: [], note: '' });
    // Another user's labels of the same scan do not show here.
    await env.DB.prepare(
      `INSERT INTO scan_labels (user_id, scan_id, name, hidden) VALUES (?, 'own-named', 'Theirs', 1)`,
    )
      .bind(other.id)
      .run();
    expect((await list(user)).scans).toMatchObject([{ scan_id: 'own-named', name: 'Second' }]);
    expect((await list(other)).scans).toMatchObject([{ scan_id: 'own-others', name: '' }]);
  });
});

describe('a scan', () => {
  test('is deleted if it was imported, and only hidden if it was bought', async () => {
    const user = await signedInUser();
    const item = await bought(user, 1703);
    await own(user, [{ id: 'own-gone' }, { id: 'own-stays' }]);
    await user.call('PATCH', '/v1/scans/own-gone', { name: 'x' });
    for (const id of ['own-gone', item]) expect((await user.call('DELETE', `/v1/scans/${id}`)).status).toBe(200);
    expect(ids((await list(user)).scans)).toEqual(['own-stays']);
    expect((await user.call('GET', `/v1/scans/${item}`)).status).toBe(404);
    expect((await user.call('GET', `/v1/order/${item}/download?type=json`)).data.rows).toHaveLength(3);
    expect(await cell('SELECT count(*) FROM scan_labels WHERE user_id = ?', user.id)).toBe(1);
  });

  test('downloads in parts, in every type and dialect', async () => {
    const user = await signedInUser(0);
    const [scan] = await keep(user, '2026-01-03.csv', fileOf([{ id: 1 }, { id: 2 }]));
    const types = ['csv', 'xlsx', 'json', 'jsonl', 'parquet', 'csv&dialect=roktracker-v6', 'xlsx&dialect=hero-scrolls'];
    for (const type of types) await expectParts(user, `/v1/scans/${scan}/download?type=${type}`);
  });

  test('gives a conflict if it is deleted while it is read', async () => {
    const user = await signedInUser(0);
    const [a, b] = await Promise.all([1, 2].map((day) => keep(user, `2026-01-0${day}.csv`, fileOf([{ id: 1 }]))));
    // Simulates a deletion between looking up the key and reading the file.
    await env.STORE.delete(String(await cell('SELECT key FROM scans WHERE id = ?', String(a?.[0]))));
    for (const path of [`scans/${a?.[0]}/download?type=csv`, `compare?from=${a?.[0]}&to=${b?.[0]}`])
      expect(await user.call('GET', `/v1/${path}`)).toMatchObject({
        status: 409,
        msg: 'A scan was deleted while it was read. Please choose another one.',
      });
  });

  test('names at most five fights that use it before deletion, and counts the others', async () => {
    const user = await signedInUser(0);
    const [a] = await keep(user, '2026-01-05.csv', fileOf([{ id: 1 }]));
    const [b] = await keep(user, '2026-01-09.csv', fileOf([{ id: 1 }]));
    const [c] = await keep(user, '2026-01-12.csv', fileOf([{ id: 1 }]));
    for (const name of ['1', '2', '3', '4', '5']) await user.call('POST', '/v1/fights', { name, from: [a], to: [b] });
    expect((await user.call('DELETE', `/v1/scans/${b}`)).msg).toMatch(/: ('\d', ){4}'5'\. Ask/);
    await user.call('POST', '/v1/fights', { name: '6', from: [a], to: [b] });
    expect((await user.call('DELETE', `/v1/scans/${b}`)).msg).toMatch(/: ('\d', ){4}'5' and 1 more\. Ask/);
    await user.call('POST', '/v1/fights', { name: 'other', from: [b], to: [c] });
    expect((await user.call('DELETE', `/v1/scans/${a}?with=reports`)).status).toBe(200);
    expect((await user.call('GET', '/v1/fights')).data.fights).toMatchObject([{ name: 'other' }]);
  });
});

describe('counters of a file', () => {
  const fallen = async (user: Person, id: string) =>
    ((await user.call('GET', `/v1/scans/${id}`)).data.scan as LibraryScan).quality;

  test('are compared with the user’s previous file of the same kingdom', async () => {
    const [user, other] = [await signedInUser(0), await signedInUser(0)];
    const kills = (t5: number) => fileOf([{ id: 1, t5, deads: 100 }]);
    await keep(user, '4001_2026-01-05.csv', kills(50));
    await keep(user, '4001_2026-01-07.csv', kills(20));
    const [risen] = await keep(user, '4001_2026-01-09.csv', kills(30));
    expect(await fallen(user, risen as string)).toEqual({ ok: 1 });
    const [fell] = await keep(user, '4001_2026-01-11.csv', kills(29));
    expect(await fallen(user, fell as string)).toEqual({ counter_fell: 1 });
    const [earlier] = await keep(user, '4001_2026-01-03.csv', kills(10));
    expect(await fallen(user, earlier as string)).toEqual({ ok: 1 });
    const [elsewhere] = await keep(user, '4002_2026-01-12.csv', fileOf([{ id: 1, t5: 1, kingdom: 4002 }]));
    expect(await fallen(user, elsewhere as string)).toEqual({ ok: 1 });
    const [theirs] = await keep(other, '4001_2026-01-13.csv', kills(1));
    expect(await fallen(other, theirs as string)).toEqual({ ok: 1 });
  });
});

describe('fights and rosters', () => {
  test('an account can have 500 fights', async () => {
    const user = await signedInUser(0);
    const [from] = await keep(user, '2026-01-05.csv', fileOf([{ id: 1 }]));
    const [to] = await keep(user, '2026-01-09.csv', fileOf([{ id: 1 }]));
    const insert = env.DB.prepare(
      `INSERT INTO fights (id, user_id, game, name, from_scans, to_scans, created_at) VALUES (?, ?, 'cod', 'x', '[]', '[]', 1)`,
    );
    await env.DB.batch(Array.from({ length: 499 }, (_, index) => insert.bind(`${user.id}-${index}`, user.id)));
    const fight = () => user.call('POST', '/v1/fights', { name: 'Last', from: [from], to: [to] });
    expect((await fight()).status).toBe(200);
    expect(await fight()).toMatchObject({ status: 413, msg: expect.stringContaining('500 fights at most') });
    const { fights } = (await user.call('GET', '/v1/fights')).data;
    expect(fights).toHaveLength(500);
    expect(fights[0].name).toBe('Last');
    expect((await user.call('GET', '/v1/fights?game=rok')).data.fights).toHaveLength(1);
  });

  test('if two rosters name the same governor, the one of the lower kingdom counts', async () => {
    const user = await signedInUser(0);
    const day = (t4: number) => [
      { id: 1, kingdom: 4001, t4 },
      { id: 2, kingdom: 4002, t4 },
    ];
    const from = await keep(user, '2026-01-05.csv', fileOf(day(1)));
    const to = await keep(user, '2026-01-09.csv', fileOf(day(11)));
    const entry = (governor_id: number, role: string, main_id: number | null) => ({
      governor_id,
      role,
      main_id,
      note: '',
    });
    await user.call('PUT', '/v1/rosters/rok/4002', [entry(1, 'exempt', null)]);
    await user.call('PUT', '/v1/rosters/rok/4001', [entry(1, 'farm', 2)]);
    await user.call('PUT', '/v1/rosters/cod/4001', [entry(2, 'farm', 1)]);
    // The roster of a kingdom that is not compared has no effect.
    await user.call('PUT', '/v1/rosters/rok/3999', [entry(1, 'exempt', null), entry(2, 'exempt', null)]);
    const { data } = await user.call('GET', `/v1/compare?from=${from}&to=${to}&t4=10&farms=50`);
    expect(data.players['2']).toMatchObject({ dkp: 100, dkp_rolled: 150 });
    // A roster is stored as a whole, so a second one replaces the first.
    await user.call('PUT', '/v1/rosters/rok/4001', []);
    expect((await user.call('GET', '/v1/rosters/rok/4001')).data.entries).toEqual([]);
    expect((await user.call('GET', '/v1/rosters/rok/4002')).data.entries).toHaveLength(1);
  });
});
