import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Caller, caller, makeKey, signedInUser } from './client.ts';
import { governor, publishRows } from './scans.ts';

/** Orders of the history product that try to break it, and its results requested by others. */

const WORDS = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];
const KINGDOM = 2101;

/** An order body as JSON text, so that `__proto__` is a key of its own. */
const bodyOf = (params: string, more = ''): string =>
  `{"orders":[{"type":"rok-history","params":${params},"price":2${more}}]}`;

const place = (user: Caller, body: string) =>
  user.call('POST', '/v1/order/create', body, { 'content-type': 'application/json' });

async function bought(user: Caller): Promise<string> {
  const placed = await place(user, bodyOf(`{"kingdoms":["${KINGDOM}"],"governors":100}`));
  expect(placed).toMatchObject({ status: 200 });
  return eventually(async () => {
    const { data } = await user.call('GET', '/v1/orders/');
    expect(data.orders[0].items[0].state).toBe('done');
    return data.orders[0].items[0].item_id as string;
  });
}

beforeAll(async () => {
  (env as { READY_PRODUCTS: string }).READY_PRODUCTS = 'rok-kingdom-scan,rok-history';
  const rows = Array.from({ length: 3 }, (_, index) => governor(21_010 + index, 1e6));
  await publishRows('rok', KINGDOM, Date.now() - 3_600_000, rows);
});

describe('an order of a history', () => {
  const kingdoms = `"kingdoms":["${KINGDOM}"]`;
  const bad: [what: string, params: string][] = [
    ...[
      '99',
      '5001',
      '0',
      '-1',
      '100.5',
      '1e308',
      '"1e3"',
      '"100x"',
      'null',
      'true',
      '[]',
      '[100]',
      '{}',
      '"\\u0000"',
    ].map((count): [string, string] => [`${count} governors`, `{${kingdoms},"governors":${count}}`]),
    ...[
      '[]',
      '""',
      '[0]',
      '["0"]',
      '["100000"]',
      '["-5"]',
      '["1e3"]',
      '["2101.5"]',
      '[null]',
      '[{}]',
      '[["2101","x"]]',
      '{}',
      '2101',
      '"1-99999"',
      '["1-5"]',
      '"\' OR 1=1 --"',
    ].map((list): [string, string] => [`kingdoms ${list}`, `{"kingdoms":${list},"governors":100}`]),
    [
      'a list of 5,001 kingdoms',
      JSON.stringify({ kingdoms: Array.from({ length: 5001 }, (_, at) => at + 1), governors: 100 }),
    ],
    [
      'more than two million ranks',
      JSON.stringify({ kingdoms: Array.from({ length: 500 }, (_, at) => at + 1), governors: 5000 }),
    ],
    ['a field of scans', `{${kingdoms},"governors":100,"full_profile":true}`],
    ['ids of governors', `{${kingdoms},"governors":100,"governor_ids":[1,2,3]}`],
    ...WORDS.flatMap((word): [string, string][] => [
      [`the field ${word}`, `{${kingdoms},"governors":100,"${word}":1}`],
      [`the field ${word} twice`, `{${kingdoms},"governors":100,"${word}":{"governors":100},"${word}":[]}`],
      [`${word} as a kingdom`, `{"kingdoms":["${word}"],"governors":100}`],
      [`${word} as the count`, `{${kingdoms},"governors":"${word}"}`],
    ]),
  ];

  it.each(bad)('with %s is refused with a message and costs nothing', async (_, params) => {
    const user = await signedInUser();
    const { status, msg } = await place(user, bodyOf(params));
    expect({ status, msg }).toEqual({ status: 400, msg: expect.stringMatching(/^[^\n]{5,400}$/) });
    expect((await user.call('GET', '/v1/account')).data.balance).toBe(100);
    expect((await user.call('GET', '/v1/orders/')).data.orders).toEqual([]);
  });

  it.each(WORDS)('of the unknown product %s is refused', async (word) => {
    const user = await signedInUser();
    const { status } = await place(
      user,
      `{"orders":[{"type":"${word}","params":{${kingdoms},"governors":100},"price":2}]}`,
    );
    expect(status).toBe(400);
  });

  it('pays once for a kingdom that it names many times', async () => {
    const user = await signedInUser();
    const again = JSON.stringify(Array.from({ length: 1000 }, () => `${KINGDOM}`));
    expect(await place(user, bodyOf(`{"kingdoms":${again},"governors":100}`))).toMatchObject({
      status: 200,
      data: { total: 2 },
    });
  });
});

describe('the results of a history', () => {
  const asks = (item: string): string[] => [
    `/v1/order/${item}/download?type=json`,
    `/v1/order/${item}/download?type=csv`,
    `/v1/order/${item}/download?type=xlsx`,
    `/v1/order/item/${item}/`,
    `/v1/order/${item}/shares`,
  ];

  it('are hidden from other users, even if they bought the same', async () => {
    const [owner, other] = [await signedInUser(), await signedInUser()];
    const item = await bought(owner);
    await bought(other);
    for (const path of asks(item)) {
      expect([path, (await other.call('GET', path)).status]).toEqual([path, 404]);
      expect([path, (await owner.fetch(path)).status]).toEqual([path, 200]);
    }
    for (const [method, path, body] of [
      ['POST', `/v1/order/${item}/shares`, { days: 1 }],
      ['POST', `/v1/order/${item}/repair`, undefined],
      ['POST', `/v1/order/${item}/cancel`, undefined],
    ] as const)
      expect([path, (await other.call(method, path, body)).status]).toEqual([path, 404]);
  });

  it.each(WORDS)('never fail with %s in the query', async (word) => {
    const user = await signedInUser();
    const item = await bought(user);
    for (const query of [
      `sort=${word}`,
      `count=${word}`,
      `page=${word}`,
      `type=${word}`,
      `${word}=1`,
      `${word}=1&${word}=2`,
      `all=${word}`,
      `reversed=${word}`,
    ]) {
      const answer = await user.fetch(
        `/v1/order/${item}/download?${query.startsWith('type') ? '' : 'type=json&'}${query}`,
      );
      await answer.text();
      expect([query, answer.status < 500]).toEqual([query, true]);
    }
  });

  it('are shared by a link until it is revoked, and other links keep working', async () => {
    const user = await signedInUser();
    const item = await bought(user);
    const made = [];
    for (let count = 0; count < 2; count++)
      made.push((await user.call('POST', `/v1/order/${item}/shares`, { days: 1 })).data);
    const [revoked, kept] = made;
    const token = (url: string) => url.split('/').at(-1) ?? '';
    const statuses = async (url: string) =>
      Promise.all(
        ['', '/download?type=csv', '/download?type=json', '/card.png'].map(async (more) => {
          const answer = await caller().fetch(`/v1/shared/${token(url)}${more}`);
          await answer.arrayBuffer();
          return answer.status;
        }),
      );
    expect(await statuses(revoked.path)).toEqual([200, 200, 200, 200]);
    expect((await user.call('DELETE', `/v1/order/${item}/shares/${revoked.share_id}`)).status).toBe(200);
    expect(await statuses(revoked.path)).toEqual([404, 404, 404, 404]);
    expect(await statuses(kept.path)).toEqual([200, 200, 200, 200]);
    for (const word of WORDS) expect(new Set(await statuses(word))).toEqual(new Set([404]));
  });

  it('need an API key with the read scope that is not revoked', async () => {
    const user = await signedInUser();
    const item = await bought(user);
    const [reading, ordering] = await Promise.all(
      [['read'], ['order']].map(async (scopes) => (await makeKey(user, scopes)).data),
    );
    const path = `/v1/order/${item}/download?type=csv`;
    const status = async (key: string) => {
      const answer = await caller({ authorization: `Bearer ${key}` }).fetch(path);
      await answer.arrayBuffer();
      return answer.status;
    };
    expect([await status(reading.key), await status(ordering.key)]).toEqual([200, 403]);
    await user.call('DELETE', `/v1/account/keys/${reading.id}`);
    expect(await status(reading.key)).toBe(401);
  });
});
