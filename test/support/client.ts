import { randomInt } from 'node:crypto';

/** An HTTP client of the API with a cookie jar, as a browser holds one. */
export interface Client {
  /** Sends a request with the cookies so far, and the body, if any, as JSON. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Like `send`, but returns the envelope's data. Throws the message of a refusal. */
  call<Data>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Data>;
  /** The cookies so far, as a header has them: for requests that are no JSON. */
  cookie(): string;
}

export interface Item {
  item_id: string;
  state: string;
  kingdom_id: number;
  has_results: boolean;
  subtask_count: number;
  incomplete_count: number;
  error: string | null;
}

export interface Order {
  order_id: number;
  total: number;
  items: Item[];
}

export function clientOf(address: string): Client {
  const cookies = new Map<string, string>();
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const send: Client['send'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(address + path, {
      method,
      redirect: 'manual',
      headers: {
        cookie: cookie(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  return {
    cookie,
    send,
    async call<Data>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Data> {
      const answer = await send(method, path, body, headers);
      const envelope = (await answer.json()) as { success: 1; data: Data } | { success: 0; msg: string };
      if (envelope.success !== 1) throw new Error(`${method} ${path}: ${answer.status} ${envelope.msg}`);
      return envelope.data;
    },
  };
}

/** A client that has signed in, as the seed's demo user unless told otherwise. */
export async function signedIn(address: string, username = 'demo', password = 'demo-muster'): Promise<Client> {
  const client = clientOf(address);
  await client.call('POST', '/v1/login', { username, password });
  return client;
}

export const balanceOf = async (client: Client): Promise<number> =>
  (await client.call<{ balance: number }>('GET', '/v1/account')).balance;

/** What the two games' scans call their lists and counts, and cost: 0.50 USD for each 100 of each kingdom. */
const SCANS = {
  rok: { type: 'rok-kingdom-scan', kingdoms: 'kingdoms', count: 'governors' },
  cod: { type: 'cod-server-scan', kingdoms: 'servers', count: 'lords' },
} as const;

/** Orders one scan of each kingdom and answers the order's id. */
export async function order(client: Client, game: 'rok' | 'cod', kingdoms: number[], count: number): Promise<number> {
  const { type, kingdoms: list, count: number } = SCANS[game];
  const params = { [list]: kingdoms.map(String), [number]: count, full_profile: true };
  const price = 0.5 * Math.ceil(count / 100) * kingdoms.length;
  const { order_id } = await client.call<{ order_id: number }>(
    'POST',
    '/v1/order/create',
    { orders: [{ type, params, fields: {}, price }], scheduleInfo: null },
    { 'idempotency-key': crypto.randomUUID() },
  );
  return order_id;
}

export async function orderOf(client: Client, orderId: number): Promise<Order> {
  const { orders } = await client.call<{ orders: Order[] }>('GET', '/v1/orders/');
  const found = orders.find(({ order_id }) => order_id === orderId);
  if (!found) throw new Error(`order ${orderId} is not among ${orders.length} orders`);
  return found;
}

/** Polls until `ready` says so of the order; throws after `withinMs` with the state it was in. */
export async function waitFor(
  client: Client,
  orderId: number,
  ready: (order: Order) => boolean,
  withinMs = 60_000,
): Promise<Order> {
  const until = Date.now() + withinMs;
  for (;;) {
    const current = await orderOf(client, orderId);
    if (ready(current)) return current;
    if (Date.now() > until) throw new Error(`order ${orderId} is still ${JSON.stringify(current.items)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** True once every item has ended, well or badly. */
export const ended = ({ items }: Order): boolean =>
  items.every(({ state }) => state === 'done' || state === 'failed' || state === 'cancelled');

export type ResultRow = Record<string, string | number | null>;

/** The rows of an item as the results page gets them. */
export async function rowsOf(client: Client, itemId: string, query = ''): Promise<ResultRow[]> {
  const data = await client.call<ResultRow[] | { rows: ResultRow[] }>(
    'GET',
    `/v1/order/${itemId}/download?type=json${query}`,
    undefined,
    { accept: 'application/json' },
  );
  return Array.isArray(data) ? data : data.rows;
}

/** The bytes of an item's file as a browser saves it. */
export async function fileOf(client: Client, itemId: string, type: string): Promise<Uint8Array> {
  const answer = await client.send('GET', `/v1/order/${itemId}/download?type=${type}`, undefined, { accept: '*/*' });
  if (!answer.ok) throw new Error(`${type} of ${itemId}: ${answer.status} ${await answer.text()}`);
  return new Uint8Array(await answer.arrayBuffer());
}

/** The password of those whom a test makes. */
export const PASSWORD = 'four unrelated words here';

/** Returns a new user with a verified address, an accepted licence and a balance in dollars. */
export async function newUser(address: string, dollars: number): Promise<{ client: Client; username: string }> {
  const admin = await signedIn(address, 'admin', 'admin-muster');
  const { code } = await admin.call<{ code: string }>('POST', '/v1/admin/access-codes', { max_uses: 1 });
  const username = `own-${crypto.randomUUID().slice(0, 8)}`;
  const email = `${username}@mail.example`;
  const account = { username, email, password: PASSWORD, fullname: 'Own Er', access_code: code };
  // Registrations are limited by address, so each comes from its own.
  const own = { 'cf-connecting-ip': `198.51.${randomInt(256)}.${randomInt(256)}` };
  await clientOf(address).call('POST', '/v1/account/create', account, own);
  const { mails } = await admin.call<{ mails: { recipient: string; text: string }[] }>('GET', '/v1/admin/outbox');
  const token = /token=(\S+)/.exec(mails.find(({ recipient }) => recipient === email)?.text ?? '')?.[1] ?? '';
  await clientOf(address).call('POST', '/v1/verify-email', { token: decodeURIComponent(token) }, own);
  const client = await signedIn(address, username, PASSWORD);
  await client.call('POST', '/v1/eula/accept', { accepted: true });
  const gift = { username, amount: dollars, reason: 'To order with.' };
  await admin.call('POST', '/v1/admin/adjustments', gift, { 'idempotency-key': crypto.randomUUID() });
  return { client, username };
}
