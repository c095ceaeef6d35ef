import { createHash, randomUUID } from 'node:crypto';
import { FIRST_LICENCE_VERSION } from '../../domain/accounts/eula.ts';
import type { Runtime } from '../../scripts/runtime.ts';

/** The callers of the long fuzz test: strangers, users, an admin, keys and bots. */

const PASSWORD = 'four unrelated words here';
// A real hash takes a quarter of a second to check. This one has low parameters, which are part of it.
const HASH = 'scrypt$2$1$1$AAAAAAAAAAAAAAAAAAAAAA$uZ9H5frjwpqPApnACTmznjI21FlczNFHY76EZyKB1jA';
const USERS = 40;
/** A user's first balance, in cents. */
export const BALANCE = 100_000;
const TOKEN = 'the-token-of-the-long-fuzz';

export interface Somebody {
  headers(): Record<string, string>;
  /** Called if the session has ended. */
  renew(): Promise<void>;
}

const stranger: Somebody = { headers: () => ({}), renew: async () => undefined };
const holder = (token: string): Somebody => ({
  headers: () => ({ authorization: `Bearer ${token}` }),
  renew: async () => undefined,
});

/** Writes a user with 1,000.00 USD and returns the id. */
export async function insertUser(runtime: Runtime, name: string, role: 'user' | 'admin' = 'user'): Promise<string> {
  const [id, db] = [randomUUID(), await runtime.database()];
  await db.batch([
    db
      .prepare(
        `INSERT INTO users (id, username, username_key, email, email_key, password_hash, role, eula_version, verified_at, created_at)
         VALUES (?1, ?2, ?2, ?2 || '@example.com', ?2 || '@example.com', ?3, ?4, ?5, 1, 1)`,
      )
      .bind(id, name, HASH, role, FIRST_LICENCE_VERSION),
    db
      .prepare(
        `INSERT INTO ledger_entries (user_id, amount_cents, kind, reference, created_at) VALUES (?1, ?2, 'top_up', ?1, 1)`,
      )
      .bind(id, BALANCE),
  ]);
  return id;
}

let addresses = 0;
const newAddress = (): string => `10.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;

/** Signs in from an address of its own and returns the cookies. */
export async function signIn(address: string, username: string): Promise<string> {
  const answer = await fetch(`${address}/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': newAddress() },
    body: JSON.stringify({ username, password: PASSWORD }),
  });
  if (!answer.ok) throw new Error(`${username} could not sign in: ${await answer.text()}`);
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** Returns a user with a session. If the fuzz deleted the account, a new one replaces it. */
class Member implements Somebody {
  #cookie = '';
  #renewing = false;
  readonly #runtime: Runtime;
  readonly #role: 'user' | 'admin';

  constructor(runtime: Runtime, role: 'user' | 'admin') {
    this.#runtime = runtime;
    this.#role = role;
  }

  headers = (): Record<string, string> => ({ cookie: this.#cookie });

  async renew(): Promise<void> {
    if (this.#renewing) return;
    this.#renewing = true;
    try {
      const name = `fuzz${randomUUID().slice(0, 8)}`;
      await insertUser(this.#runtime, name, this.#role);
      this.#cookie = await signIn(this.#runtime.address, name);
    } finally {
      this.#renewing = false;
    }
  }
}

export class Crowd {
  readonly #all: readonly Somebody[];
  /** Headers of a user who makes no calls and whom no call names. */
  readonly bystander: Record<string, string>;
  /** Values that reach further than made-up ones, by field name. */
  readonly known: Readonly<Record<string, unknown>>;

  private constructor(all: readonly Somebody[], bystander: Record<string, string>, known: Record<string, unknown>) {
    this.#all = all;
    this.bystander = bystander;
    this.known = known;
  }

  static async gather(runtime: Runtime): Promise<Crowd> {
    const { address } = runtime;
    const db = await runtime.database();
    const members = Array.from(
      { length: USERS },
      (_, index) => new Member(runtime, index % 8 === 0 ? 'admin' : 'user'),
    );
    for (const member of members) await member.renew();
    await db
      .prepare(`INSERT INTO bot_groups (id, name, token_hash, created_at) VALUES ('fuzz', 'fuzz', ?, 1)`)
      .bind(createHash('sha256').update(TOKEN).digest('hex'))
      .run();
    for (const name of ['bystander', 'target']) await insertUser(runtime, name, 'user');
    const [bystander, cookie] = [await signIn(address, 'bystander'), await signIn(address, 'target')];
    const entry = {
      type: 'rok-kingdom-scan',
      params: { kingdoms: ['1011'], governors: 100, full_profile: true },
      price: 0.5,
    };
    const made = await fetch(`${address}/v1/order/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ orders: [entry] }),
    });
    if (!made.ok) throw new Error(await made.text());
    const known = {
      password: PASSWORD,
      current_password: PASSWORD,
      username: 'target',
      bot_id: 'fuzz-1',
      game: 'rok',
      games: ['rok'],
      type: entry.type,
      price: entry.price,
      params: entry.params,
      orders: [entry],
      kingdom_id: 1011,
      count: 5,
    };
    const bots = Array.from({ length: 8 }, () => holder(TOKEN));
    return new Crowd(
      [...members, ...bots, ...Array.from({ length: 8 }, () => stranger), holder('mk_made-up')],
      { cookie: bystander },
      known,
    );
  }

  any(random: () => number): Somebody {
    return this.#all[Math.floor(random() * this.#all.length)] as Somebody;
  }
}
