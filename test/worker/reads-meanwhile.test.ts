import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { signToken } from '../../worker/configuration/signing.ts';
import { openDb } from '../../worker/db/open.ts';
import { withheld } from '../../worker/db/withheld.ts';
import { caller, signedInUser } from './client.ts';
import { cell } from './people.ts';
import { CALLS, pathOf } from './routes.ts';

/** Reads that start during the session lookup. A caller whose session has ended gets no rows from them. */

const refusal = new Error('refused');

describe('a withheld database', () => {
  const withheldBy = (given: Promise<unknown>, session: D1DatabaseSession = env.DB.withSession('first-primary')) => ({
    client: withheld(openDb(env, session), given).db.$client,
  });
  const count = () => cell<number>('SELECT count(*) FROM failed_answers');

  it('returns rows once permission is given', async () => {
    const { client } = withheldBy(Promise.resolve());
    expect(await client.prepare('SELECT ? AS one').bind(1).first('one')).toBe(1);
    expect(await client.prepare('SELECT 1 AS one').first()).toEqual({ one: 1 });
    expect((await client.prepare('SELECT 1 AS one').all()).results).toEqual([{ one: 1 }]);
    expect(await client.prepare('SELECT 1 AS one').raw({ columnNames: true })).toEqual([['one'], [1]]);
    const [first] = await client.batch([client.prepare('SELECT 1 AS one')]);
    expect(first?.results).toEqual([{ one: 1 }]);
  });

  it('starts reads at once, and returns no rows to a refused caller', async () => {
    let refuse: (error: Error) => void = () => undefined;
    const { client } = withheldBy(
      new Promise((_, reject) => {
        refuse = reject;
      }),
    );
    const asked = [
      client.prepare('SELECT 1').first(),
      client.prepare('SELECT 1').all(),
      client.prepare('SELECT 1').run(),
      client.prepare('SELECT 1').raw(),
      client.batch([client.prepare('WITH one AS (SELECT 1) SELECT * FROM one')]),
    ];
    let told = 0;
    for (const each of asked)
      void each.then(
        () => told++,
        () => told++,
      );
    await env.DB.prepare('SELECT 1').run();
    expect(told).toBe(0);
    refuse(refusal);
    for (const each of asked) await expect(each).rejects.toBe(refusal);
  });

  it.each([
    ['SELECT 1', true],
    [`SELECT replace('a', 'a', 'b')`, true],
    ['WITH one AS (SELECT 1) REPLACE INTO failed_answers (minute, count) SELECT 1, 1 FROM one', false],
  ])('starts %s before permission is given: %s', async (sql, expected) => {
    const session = env.DB.withSession('first-primary');
    const begun: number[] = [];
    const batch: typeof session.batch = (statements) => {
      begun.push(statements.length);
      return session.batch(statements);
    };
    const { client } = withheldBy(Promise.race([]), {
      prepare: session.prepare.bind(session),
      batch,
      getBookmark: session.getBookmark.bind(session),
    });
    void client.batch([client.prepare(sql)]);
    await env.DB.prepare('SELECT 1').run();
    expect(begun.length > 0).toBe(expected);
  });

  it('writes nothing for a refused caller, in any form', async () => {
    const given = Promise.reject(refusal);
    given.catch(() => undefined);
    const { client } = withheldBy(given);
    const before = await count();
    const insert = 'INSERT INTO failed_answers (minute, count) VALUES (1, 1)';
    await expect(client.prepare(insert).run()).rejects.toBe(refusal);
    await expect(client.batch([client.prepare('SELECT 1'), client.prepare(insert)])).rejects.toBe(refusal);
    await expect(client.prepare(`WITH x AS (SELECT 1) ${insert}`).run()).rejects.toBe(refusal);
    expect(await count()).toBe(before);
  });
});

const READS = CALLS.filter(({ method }) => method === 'GET');

/** Returns status and text of an answer, without the request id. */
async function asked(path: string, headers: Record<string, string>): Promise<string> {
  const response = await caller().fetch(path, { headers });
  return `${response.status} ${(await response.text()).replace(/"request_id":"[^"]*"/, '')}`;
}

describe('every read with the cookie of a session that has ended', () => {
  it('answers as without a cookie', async () => {
    const user = await signedInUser();
    expect((await user.call('GET', '/v1/account')).status).toBe(200);
    const ended = `${await cell<string>('SELECT id FROM sessions WHERE user_id = ?', user.id)}.${user.id}`;
    await env.DB.prepare('DELETE FROM sessions WHERE user_id = ?').bind(user.id).run();
    const cookie = `muster_session=${await signToken(env, 'session', ended, Date.now() + 60_000)}`;
    const told: string[] = [];
    for (const { path } of READS) {
      const address = pathOf(path);
      const [stranger, former] = await Promise.all([asked(address, {}), asked(address, { cookie })]);
      if (former !== stranger) told.push(`${path}: ${former.slice(0, 200)} instead of ${stranger.slice(0, 200)}`);
    }
    expect(told).toEqual([]);
    expect(READS.length).toBeGreaterThan(60);
    // Monitoring counts no refusal as a failure.
    expect(await cell<number>('SELECT count(*) FROM failed_answers')).toBe(0);
  });
});
