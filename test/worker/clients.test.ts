import { env } from 'cloudflare:workers';
import { TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../worker/gateways/rate-limits.ts';
import wrangler from '../../wrangler.toml?raw';
import { bot, caller, PASSWORD, type Person, person, scanOf, signedInUser, work } from './client.ts';
import { expectParts } from './parts.ts';

/** HTTP behaviour that programs rely on, and lenient input fields. */

async function orderedBy(user: Person) {
  const { data } = await user.call('POST', '/v1/order/create', { orders: [scanOf([1301])] });
  const before = (await user.call('GET', `/v1/order/${data.order_id}`)).data;
  await work(await bot());
  // Polls, as a script would.
  const asked = async () => (await user.call('GET', `/v1/order/${data.order_uuid}`)).data;
  await expect.poll(async () => (await asked()).is_done_loading, { timeout: 20_000 }).toBe(true);
  const after = await asked();
  return { ...data, before, after, item_id: after.items[0].item_id } as Record<string, never> & {
    before: { is_done_loading: boolean };
    after: { is_done_loading: boolean; order_id: number };
  };
}

describe('an order', () => {
  it('is found by number, UUID or item, and is loading until nothing is open', async () => {
    const user = await signedInUser();
    const { order_id, order_uuid, item_id, before, after } = await orderedBy(user);
    expect([before.is_done_loading, after.is_done_loading]).toEqual([false, true]);
    for (const id of [order_id, order_uuid, item_id]) {
      expect((await user.call('GET', `/v1/order/${id}`)).data.order_id).toBe(order_id);
      for (const path of ['download?type=json', 'entries', 'combined', 'shares'])
        expect([path, (await user.call('GET', `/v1/order/${id}/${path}`)).status]).toEqual([path, 200]);
    }
    const link = (await user.call('POST', `/v1/order/${order_uuid}/shares`, { days: 1 })).data.share_id;
    expect((await user.call('GET', `/v1/order/${order_id}/shares`)).data.shares).toHaveLength(1);
    expect((await user.call('DELETE', `/v1/order/${order_uuid}/shares/${link}`)).status).toBe(200);
    const stranger = await signedInUser();
    expect((await stranger.call('GET', `/v1/order/${order_uuid}`)).status).toBe(404);
  });

  it('is JSON in the envelope, with or without an Accept header', async () => {
    const user = await signedInUser();
    const { item_id } = await orderedBy(user);
    const path = `/v1/order/${item_id}/download?type=json`;
    const [plain, asked] = [
      await user.fetch(path),
      await user.fetch(path, { headers: { accept: 'application/json' } }),
    ];
    const text = await plain.text();
    expect(await asked.text()).toBe(text);
    expect(JSON.parse(text).data.rows).toHaveLength(100);
  });
});

describe('a download', () => {
  it('resumes by byte range in every type', async () => {
    const user = await signedInUser();
    const { item_id } = await orderedBy(user);
    for (const query of ['type=csv', 'type=csv&bom=true', 'type=json', 'type=xlsx', 'type=parquet'])
      await expectParts(user, `/v1/order/${item_id}/download?${query}`);
  });

  it('has the same bytes each time it is made', async () => {
    const user = await signedInUser();
    const { item_id } = await orderedBy(user);
    for (const type of ['csv', 'json', 'xlsx', 'parquet']) {
      const bytes = async () => (await user.fetch(`/v1/order/${item_id}/download?type=${type}`)).arrayBuffer();
      const first = await bytes();
      for (const { key } of (await env.STORE.list({ prefix: 'exports/' })).objects) await env.STORE.delete(key);
      expect(new Uint8Array(await bytes())).toEqual(new Uint8Array(first));
    }
  });
});

describe('a call', () => {
  it('with a wrong method gets the allowed ones', async () => {
    const user = await signedInUser();
    const answer = await user.fetch('/v1/orders', { method: 'DELETE' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await answer.json()).toMatchObject({ success: 0, msg: 'This address takes GET, not DELETE.' });
    expect((await user.call('DELETE', '/v1/nothing')).status).toBe(404);
  });

  it('with a wrong body type gets the accepted ones', async () => {
    const user = await signedInUser();
    const order = JSON.stringify({ orders: [scanOf([1302])] });
    const form = await user.call('POST', '/v1/order/create', order, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form).toMatchObject({ status: 415, success: 0 });
    expect(form.msg).toMatch(/^This call reads application\/json/);
    const upload = await user.call('POST', '/v1/scans/import?name=a.csv', 'x', {
      'content-type': 'multipart/form-data',
    });
    expect(upload.status).toBe(415);
    expect(upload.msg).toContain('text/csv');
  });

  it('over the limit gets the waiting time, and the limits match wrangler.toml', async () => {
    const limits = [
      ...wrangler.matchAll(/\[\[ratelimits\]\]\nname = "(\w+)"\n.*\nsimple = \{ limit = (\d+), period = 60 \}/g),
    ];
    expect(Object.fromEntries(limits.map(([, name, limit]) => [name, Number(limit)]))).toEqual(LIMITS);
    const reset = () =>
      caller().fetch('/v1/password-reset', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'nobody@example.com' }),
      });
    let last = await reset();
    for (let tries = 0; last.status !== 429 && tries < 10; tries++) last = await reset();
    expect(last.headers.get('retry-after')).toBe('60');
    expect(last.headers.get('ratelimit-policy')).toBe('"mail";q=3;w=60');
    expect(last.headers.get('ratelimit')).toBe('"mail";r=0;t=60');
  });
});

it('the API description has an ETag and answers 304 to it', async () => {
  const first = await caller().fetch('/v1/openapi.json');
  await first.body?.cancel();
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  const again = await caller().fetch('/v1/openapi.json', { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

it('well-known addresses exist', async () => {
  const security = await caller().fetch('/.well-known/security.txt');
  expect(security.headers.get('content-type')).toContain('text/plain');
  expect(await security.text()).toMatch(/^Contact: mailto:.+@.+\nExpires: \d{4}-.+Z\n/);
  const go = async (path: string) => {
    const { status, headers } = await caller().fetch(path, { redirect: 'manual' });
    return [status, headers.get('location')];
  };
  expect(await go('/.well-known/change-password')).toEqual([302, '/account']);
  expect(await go('/favicon.ico')).toEqual([301, '/icon-192.png']);
});

it('codes are accepted with spaces, capitals or missing dashes', async () => {
  const user = await person();
  const { secret } = (await user.call('POST', '/v1/account/two-factor/start', { current_password: PASSWORD })).data;
  const { Secret } = await import('otpauth');
  const codeAt = (at: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
  const spaced = codeAt(Date.now()).replace(/^(...)/, ' $1 ');
  const { data } = await user.call('POST', '/v1/account/two-factor/confirm', { code: `${spaced} ` });
  const [one = '', two = ''] = data.recovery_codes as string[];
  expect((await user.signIn({ code: one.toUpperCase().replaceAll('-', '') })).status).toBe(200);
  expect((await user.signIn({ code: ` ${two.replaceAll('-', ' ')}` })).status).toBe(200);
  expect((await user.signIn({ code: one })).status).toBe(401);
});
