import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { openShare } from '../../worker/models/orders/shares.ts';
import { bot, caller, db, type Person, scanOf, settled, signedInUser, work } from './client.ts';

let owner: Person;
let itemId: string;

beforeAll(async () => {
  owner = await signedInUser();
  await owner.call('POST', '/v1/order/create', { orders: [scanOf([701], 100)] });
  itemId = (await owner.call('GET', '/v1/orders/')).data.orders[0].items[0].item_id;
  const early = await owner.call('POST', `/v1/order/${itemId}/shares`, {});
  expect(early).toMatchObject({ status: 409, msg: 'There are no results yet.' });
  await work(await bot());
  await settled(owner);
});

const open = async () => (await owner.call('POST', `/v1/order/${itemId}/shares`, { days: 3 })).data;
const apiPath = (path: string) => `/v1${path}`;

it('a link shows the results to a stranger, read-only', async () => {
  const link = await open();
  const stranger = caller();
  const shown = await stranger.call('GET', apiPath(link.path));
  expect(shown).toMatchObject({ status: 200, data: { game: 'rok', kingdom_id: 701, rows: 100 } });
  const { data } = await stranger.call('GET', `${apiPath(link.path)}/download?type=json`);
  expect(data.rows).toHaveLength(100);
  const file = await stranger.fetch(`${apiPath(link.path)}/download?type=csv`);
  expect(file.headers.get('content-disposition')).toContain('results.csv');
  await file.body?.cancel();
  expect((await stranger.call('GET', `/v1/order/item/${itemId}/`)).status).toBe(401);
});

it('a closed, expired or altered link opens nothing', async () => {
  const gone = { status: 404, msg: 'This link no longer works. Ask whoever sent it for a new one.' };
  const [closed, stale] = [await open(), await open()];
  expect((await owner.call('DELETE', `/v1/order/${itemId}/shares/${closed.share_id}`)).status).toBe(200);
  expect((await owner.call('DELETE', `/v1/order/${itemId}/shares/${closed.share_id}`)).status).toBe(404);
  await env.DB.prepare(`UPDATE share_links SET expires_at = 1 WHERE id = ?`).bind(stale.share_id).run();
  for (const path of [closed.path, stale.path, `${closed.path}x`, '/shared/nonsense'])
    expect(await caller().call('GET', apiPath(path))).toMatchObject(gone);
});

it('only the owner creates, lists and closes links, for 1 to 90 days', async () => {
  const link = await open();
  const other = await signedInUser();
  expect((await other.call('POST', `/v1/order/${itemId}/shares`, {})).status).toBe(404);
  expect((await other.call('GET', `/v1/order/${itemId}/shares`)).status).toBe(404);
  expect((await other.call('DELETE', `/v1/order/${itemId}/shares/${link.share_id}`)).status).toBe(404);
  const listed = (await owner.call('GET', `/v1/order/${itemId}/shares`)).data.shares;
  expect(listed.map((share: { share_id: string }) => share.share_id)).toContain(link.share_id);
  for (const days of [0, 91, 1.5, 'many'])
    expect((await owner.call('POST', `/v1/order/${itemId}/shares`, { days })).msg).toMatch(/^days: /);
});

/** The audience, id and expiry of a link's token. */
const signedFor = (path: string) => {
  const { aud, jti, exp } = JSON.parse(Buffer.from(path.split('.')[1] ?? '', 'base64url').toString());
  return { aud, jti, exp };
};

it('a short address leads to the link while it works, to a page with a title and a picture', async () => {
  const link = await open();
  expect(link.short).toMatch(/^\/s\/[\w-]{22}$/);
  const stranger = caller();
  const led = await stranger.fetch(link.short, { redirect: 'manual' });
  expect([led.status, led.headers.get('cache-control')]).toEqual([302, 'no-store']);
  // A new signature for the same link, with the same expiry.
  expect(signedFor(led.headers.get('location') ?? '')).toEqual(signedFor(link.path));
  const filtered = await stranger.fetch(`${link.short}?flawed=true&columns=deads,t5`, { redirect: 'manual' });
  expect(filtered.headers.get('location')).toBe(`${led.headers.get('location')}?flawed=true&columns=deads,t5`);
  const page = await stranger.fetch(led.headers.get('location') ?? '');
  const html = await page.text();
  expect(page.status).toBe(200);
  expect(html).toMatch(/<title>Kingdom 701 · \d+ \w+ \d{4} · Muster<\/title>/);
  expect(html).toContain('<meta name="robots" content="noindex">');
  const [, picture = ''] = /og:image" content="[^"]*?(\/v1\/shared\/[^"]+)"/.exec(html) ?? [];
  const drawn = await stranger.fetch(picture);
  expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/png']);
  await drawn.body?.cancel();
  await owner.call('DELETE', `/v1/order/${itemId}/shares/${link.share_id}`);
  for (const path of [link.short, picture, link.path, '/s/nonsense', `/s/${'A'.repeat(22)}`]) {
    const gone = await stranger.fetch(path, { redirect: 'manual' });
    expect([path, gone.status]).toEqual([path, 404]);
    await gone.body?.cancel();
  }
});

const EMPTY = 'UPDATE share_links SET expires_at = 1';

it('an item has up to twenty active links, each of which its owner can find and close', async () => {
  await env.DB.prepare(EMPTY).run();
  const [closed, stale] = [await open(), await open()];
  await owner.call('DELETE', `/v1/order/${itemId}/shares/${closed.share_id}`);
  await env.DB.prepare('UPDATE share_links SET expires_at = 1 WHERE id = ?').bind(stale.share_id).run();
  const make = () => openShare(db, { itemId, userId: owner.id, days: 1 });
  const made = await Promise.all(Array.from({ length: 23 }, make));
  expect(made.filter((share) => share !== null)).toHaveLength(20);
  const refused = await owner.call('POST', `/v1/order/${itemId}/shares`, {});
  expect(refused).toMatchObject({
    status: 409,
    msg: 'An item can have 20 active links, an account 200: close one first (My Account, Shared links).',
  });
  const listed = (await owner.call('GET', `/v1/order/${itemId}/shares`)).data.shares;
  const all = (await owner.call('GET', '/v1/account/shares')).data.shares;
  expect(listed).toHaveLength(20);
  expect(all.map(({ share_id }: { share_id: string }) => share_id)).toEqual(
    listed.map(({ share_id }: { share_id: string }) => share_id),
  );
  expect(all[0]).toMatchObject({ item_id: itemId, game: 'rok', kingdom_id: 701 });
  const [{ share_id, path }] = all;
  // The two may be signed in different seconds, but lead to the same results.
  expect((await caller().call('GET', apiPath(listed[0].path))).status).toBe(200);
  expect((await owner.call('DELETE', `/v1/order/another-item/shares/${share_id}`)).status).toBe(404);
  expect((await caller().call('GET', apiPath(path))).status).toBe(200);
  expect((await owner.call('DELETE', `/v1/order/${itemId}/shares/${share_id}`)).status).toBe(200);
  expect((await caller().call('GET', apiPath(path))).status).toBe(404);
  expect(await make()).not.toBeNull();
  expect(await make()).toBeNull();
});

it('an account has up to two hundred active links, and sees only its own', async () => {
  await env.DB.prepare(EMPTY).run();
  const other = await signedInUser();
  const write = env.DB.prepare(
    'INSERT INTO share_links (id, item_id, user_id, created_at, expires_at) VALUES (?, ?, ?, ?, ?)',
  );
  const now = Date.now();
  const link = (userId: string, index: number) =>
    write.bind(crypto.randomUUID(), index === 0 ? itemId : `i${index}`, userId, now, now + 60_000);
  await env.DB.batch([
    ...Array.from({ length: 199 }, (_, index) => link(owner.id, index)),
    ...Array.from({ length: 200 }, (_, index) => link(other.id, index + 1)),
  ]);
  const make = () => openShare(db, { itemId, userId: owner.id, days: 1 });
  expect(await make()).not.toBeNull();
  expect(await make()).toBeNull();
  expect((await other.call('GET', '/v1/account/shares')).data.shares).toEqual([]);
  expect((await owner.call('GET', '/v1/account/shares')).data.shares).toHaveLength(2);
});

describe('the results of a whole order', () => {
  let orderId: number;
  const items: string[] = [];
  beforeAll(async () => {
    await env.DB.prepare(EMPTY).run();
    await owner.call('POST', '/v1/order/create', { orders: [scanOf([702, 703], 100)] });
    await work(await bot());
    const newest = async () => (await owner.call('GET', '/v1/orders/')).data.orders[0];
    await settled(owner);
    const order = await newest();
    orderId = order.order_id;
    items.push(...order.items.map(({ item_id }: { item_id: string }) => item_id));
  });

  const openAll = async () => (await owner.call('POST', `/v1/order/${orderId}/shares`, { days: 3 })).data;

  it('are shown together by one link, with its own title and picture', async () => {
    const link = await openAll();
    const stranger = caller();
    const shown = await stranger.call('GET', apiPath(link.path));
    expect(shown.data).toMatchObject({
      game: 'rok',
      kind: 'scan',
      combined: true,
      kingdom_id: 702,
      kingdom_count: 2,
      rows: 200,
    });
    const { rows } = (await stranger.call('GET', `${apiPath(link.path)}/download?type=json`)).data;
    expect(new Set(rows.map((row: { home_kingdom: number }) => row.home_kingdom))).toEqual(new Set([702, 703]));
    expect(rows).toHaveLength(200);
    const second = await stranger.call('GET', `${apiPath(link.path)}/download?type=json&count=50&page=3`);
    expect(second.data).toMatchObject({ total: 200, rows: expect.toSatisfy((page: unknown[]) => page.length === 50) });
    expect(await (await stranger.fetch(link.path)).text()).toMatch(
      /<title>2 kingdoms · \d+ \w+ \d{4} · Muster<\/title>/,
    );
    const drawn = await stranger.fetch(`${apiPath(link.path)}/card.png`);
    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/png']);
    await drawn.body?.cancel();
  });

  it('show if one of their scans has the time of its file', async () => {
    const marked = async () => (await caller().call('GET', apiPath((await openAll()).path))).data.by_file_time;
    expect(await marked()).toBe(false);
    const source = (change: string) =>
      env.DB.prepare(`UPDATE snapshots SET source = ${change} WHERE id = (SELECT snapshot_id FROM items WHERE id = ?)`)
        .bind(items[0])
        .run();
    await source(`source || ' (time of the file)'`);
    expect(await marked()).toBe(true);
    await source(`replace(source, ' (time of the file)', '')`);
  });

  it('have a link whose picture no shared cache keeps, and which ends with the link', async () => {
    await env.DB.prepare(EMPTY).run();
    const link = await openAll();
    const picture = () => caller().fetch(`${apiPath(link.path)}/card.png`);
    const drawn = await picture();
    expect([drawn.status, drawn.headers.get('cache-control')]).toEqual([200, 'private, max-age=300']);
    await drawn.body?.cancel();
    await owner.call('DELETE', `/v1/order/${orderId}/shares/${link.share_id}`);
    expect((await picture()).status).toBe(404);
  });

  it('have links separate from those of items, which only the owner manages', async () => {
    await env.DB.prepare(EMPTY).run();
    const whole = await openAll();
    const [item = ''] = items;
    const one = (await owner.call('POST', `/v1/order/${item}/shares`, {})).data;
    const listed = async (id: string | number) =>
      (await owner.call('GET', `/v1/order/${id}/shares`)).data.shares.map(
        (each: { share_id: string }) => each.share_id,
      );
    expect(await listed(orderId)).toEqual([whole.share_id]);
    expect(await listed(item)).toEqual([one.share_id]);
    const all = (await owner.call('GET', '/v1/account/shares')).data.shares;
    const combined = Object.fromEntries(all.map((each: Record<string, unknown>) => [each.share_id, each.combined]));
    expect(combined).toEqual({ [whole.share_id]: true, [one.share_id]: false });
    expect((await caller().call('GET', apiPath(one.path))).data).toMatchObject({ combined: false, rows: 100 });

    const other = await signedInUser();
    for (const method of ['GET', 'POST'] as const)
      expect((await other.call(method, `/v1/order/${orderId}/shares`, method === 'POST' ? {} : undefined)).status).toBe(
        404,
      );
    const close = (who: Person, id: string | number, share: string) =>
      who.call('DELETE', `/v1/order/${id}/shares/${share}`);
    expect((await close(other, orderId, whole.share_id)).status).toBe(404);
    expect((await close(owner, item, whole.share_id)).status).toBe(404);
    expect((await close(owner, orderId, one.share_id)).status).toBe(404);
    expect((await close(owner, orderId, whole.share_id)).status).toBe(200);
    expect((await caller().call('GET', apiPath(whole.path))).status).toBe(404);
    expect((await caller().call('GET', apiPath(one.path))).status).toBe(200);
  });

  it('have up to twenty active links', async () => {
    await env.DB.prepare(EMPTY).run();
    const answers = [];
    for (let made = 0; made < 21; made++)
      answers.push(await openShare(db, { itemId: items[0] ?? '', orderId, userId: owner.id, days: 1 }));
    expect(answers.map((share) => share !== null)).toEqual([...Array(20).fill(true), false]);
    expect(await openShare(db, { itemId: items[0] ?? '', userId: owner.id, days: 1 })).not.toBeNull();
    const refused = await owner.call('POST', `/v1/order/${orderId}/shares`, {});
    expect(refused).toMatchObject({ status: 409, msg: expect.stringMatching(/^An order can have 20 active links/) });
  });
});
