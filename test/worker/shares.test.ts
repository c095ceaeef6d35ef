import { env } from 'cloudflare:workers';
import { beforeAll, expect, it, vi } from 'vitest';
import { bot, type Caller, caller, scanOf, signedInUser, work } from './client.ts';

let owner: Caller;
let itemId: string;

beforeAll(async () => {
  owner = await signedInUser();
  await owner.call('POST', '/v1/order/create', { orders: [scanOf([701], 100)] });
  itemId = (await owner.call('GET', '/v1/orders/')).data.orders[0].items[0].item_id;
  const early = await owner.call('POST', `/v1/order/${itemId}/shares`, {});
  expect(early).toMatchObject({ status: 409, msg: 'There are no results yet.' });
  await work(await bot());
  await vi.waitFor(async () => expect((await owner.call('GET', '/v1/orders/')).data.live).toBe(false), {
    timeout: 10_000,
  });
});

const open = async () => (await owner.call('POST', `/v1/order/${itemId}/shares`, { days: 3 })).data;
const apiPath = (path: string) => `/v1${path}`;

it('a link shows the results to a stranger, to read only', async () => {
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

it('a link that was closed, ran out or was tampered with opens nothing', async () => {
  const gone = { status: 404, msg: 'This link does not work any more. Ask whoever sent it for a new one.' };
  const [closed, stale] = [await open(), await open()];
  expect((await owner.call('DELETE', `/v1/order/${itemId}/shares/${closed.share_id}`)).status).toBe(200);
  expect((await owner.call('DELETE', `/v1/order/${itemId}/shares/${closed.share_id}`)).status).toBe(404);
  await env.DB.prepare(`UPDATE share_links SET expires_at = 1 WHERE id = ?`).bind(stale.share_id).run();
  for (const path of [closed.path, stale.path, `${closed.path}x`, '/shared/nonsense'])
    expect(await caller().call('GET', apiPath(path))).toMatchObject(gone);
});

it('only the owner makes, lists and closes links, for 1 to 90 days', async () => {
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
