import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { BotKingdoms } from '../../domain/fleet/contract.ts';
import { fleetNow } from '../../worker/models/fleet/state.ts';
import { queuesOf } from '../../worker/models/service/fleet-troubles.ts';
import { serviceFigures } from '../../worker/models/service/overview.ts';
import { dropOldCounts } from '../../worker/models/service/troubles.ts';
import { forgetHealth } from '../../worker/services/service/check-health.ts';
import { troublesNow } from '../../worker/services/service/watch-service.ts';
import { type Bot, bot, caller, db, production, send, signedInUser } from './client.ts';
import { happens, type SignedEvent, tell, topsUp } from './payments-client.ts';
import { cell } from './people.ts';

const MINUTE = 60_000;
const now = Date.now();
const kinds = async (at = now) => (await troublesNow(db, ['rok'], at)).map(({ kind }) => kind);
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

it('there is no trouble while bots are seen and nothing fails', async () => {
  const one = await bot();
  await one.call('POST', '/v1/fleet/heartbeat', { bot_id: one.name, account_game: 'rok' });
  expect(await kinds()).toEqual([]);
  expect(await kinds(now + 9 * MINUTE)).toEqual([]);
  expect(await kinds(now + 11 * MINUTE)).toEqual(['bots rok']);
  expect((await troublesNow(db, [], now + 11 * MINUTE)).length).toBe(0);
});

it('bots are those that can scan the game, whatever they read last', async () => {
  await run('DELETE FROM bots');
  const beat = async (who: Bot, kingdoms?: BotKingdoms) =>
    (await who.call('POST', '/v1/fleet/heartbeat', { bot_id: who.name, account_game: 'cod', kingdoms })).status;
  const online = async () => {
    const queues = await queuesOf(db, ['rok', 'cod'], Date.now());
    const { games } = await fleetNow(db, ['rok', 'cod'], Date.now());
    expect(games.map(({ bots_online }) => bots_online)).toEqual(queues.map(({ bots_online }) => bots_online));
    expect(queues.map(({ heard_at }) => heard_at > 0)).toEqual(queues.map(({ bots_online }) => bots_online > 0));
    forgetHealth();
    const all = (await caller().call('GET', '/v1/health')).data.bots_online;
    expect([all > 0, (await serviceFigures(db)).bots_online]).toEqual([
      queues.some(({ bots_online }) => bots_online > 0),
      all,
    ]);
    return queues.map(({ bots_online }) => bots_online);
  };
  const [one, other] = [await bot('one'), await bot('other')];
  await beat(one, { rok: [4001], cod: [] });
  expect(await online()).toEqual([1, 0]);
  await beat(one, { cod: 'all' });
  expect(await online()).toEqual([0, 1]);
  await beat(one);
  await beat(other, { rok: 'all' });
  expect(await online()).toEqual([2, 1]);
  await run(`UPDATE bots SET retired_at = 1 WHERE bot_id = 'one'`);
  expect(await online()).toEqual([1, 0]);
  await run(`UPDATE bot_groups SET revoked_at = 1 WHERE id = (SELECT group_id FROM bots WHERE bot_id = 'other')`);
  expect(await online()).toEqual([0, 0]);
  await run('DELETE FROM bots');
  await beat(await bot());
});

it('a job that failed three times in a row is trouble, twice is not', async () => {
  await run(
    `INSERT INTO setbacks (job, subject, tries, begun_at, next_at, error) VALUES ('boards', '', 2, 1, 1, 'no')`,
  );
  expect(await kinds()).toEqual([]);
  await run(`UPDATE setbacks SET tries = 3`);
  expect((await troublesNow(db, ['rok'], now)).map(({ text }) => text)).toEqual([
    "The job 'boards' failed 3 times in a row: no",
  ]);
  await run(
    `INSERT INTO setbacks (job, subject, tries, begun_at, next_at, error) VALUES ('boards', 'rok', 9, 1, 1, 'a reason')`,
  );
  expect((await troublesNow(db, ['rok'], now)).map(({ text }) => text)).toEqual([
    "The job 'boards' failed 9 times in a row: a reason",
  ]);
  await run(`DELETE FROM setbacks`);
});

it('three failed calls signed by Stripe are trouble, until one succeeds', async () => {
  const [event] = (await happens(`intents/${await topsUp(await signedInUser(0), 5)}/refund`)) as [SignedEvent];
  const told = (kind: string) => tell(kind === 'unsigned' ? { body: '{"id":"evt_x"}', signature: 't=1,v1=0' } : event);
  const texts = async () => (await troublesNow(db, [], Date.now())).map(({ text }) => text);
  // Unsigned calls are recorded once in ten seconds.
  for (let call = 0; call < 5; call++) expect((await told('unsigned')).status).toBe(400);
  expect(await cell(`SELECT tries FROM setbacks WHERE job = 'webhooks' AND subject = 'signature'`)).toBe(1);
  await run(`UPDATE setbacks SET tries = 1000`);
  const poison = `BEFORE INSERT ON reversals BEGIN SELECT raise(ABORT, 'no reversals today'); END`;
  await env.DB.exec(`CREATE TRIGGER poison ${poison}`);
  for (let call = 0; call < 3; call++) {
    expect(await texts()).toEqual([]);
    expect((await told('event')).status).toBeGreaterThan(499);
  }
  expect(await texts()).toEqual([expect.stringMatching(/^3 calls of Stripe's webhook failed: .*/)]);
  await env.DB.exec('DROP TRIGGER poison');
  expect((await told('event')).status).toBe(200);
  expect(await texts()).toEqual([]);
  expect(await cell(`SELECT count(*) FROM setbacks WHERE job = 'webhooks'`)).toBe(0);
  await run(`DELETE FROM failed_answers`);
});

it('three mails that could not be sent are trouble while they are retried', async () => {
  for (const [index, age] of [0.1, 70, 100].entries())
    await run(
      `INSERT INTO outbox (reference, recipient, subject, text, created_at, next_at, attempts, error)
       VALUES (?, 'a@b.test', 's', 't', ?, ?, 3, 'no')`,
      `t${index}`,
      now - age * 60 * MINUTE,
      now * 2,
    );
  expect(await kinds()).toEqual([]);
  await run(`UPDATE outbox SET created_at = ? WHERE reference = 't2'`, now - 2 * MINUTE);
  expect(await kinds()).toEqual(['mails']);
  await run(`UPDATE outbox SET attempts = 2`);
  expect(await kinds()).toEqual([]);
  // A used-up quota does not count as a try.
  await run(`UPDATE outbox SET attempts = 0`);
  expect(await kinds()).toEqual(['mails']);
  await run(`DELETE FROM outbox`);
});

it('twenty internal errors in ten minutes are trouble', async () => {
  const broken = {
    ...production(),
    DB: { withSession: () => ({ getBookmark: () => null, prepare: null }), prepare: env.DB.prepare.bind(env.DB) },
  };
  forgetHealth();
  for (let call = 0; call < 20; call++) {
    expect(await kinds()).toEqual([]);
    expect((await send('/v1/health', {}, broken as never)).status).toBe(500);
  }
  expect(await kinds()).toEqual(['answers']);
  expect(await kinds(now + 11 * MINUTE)).toEqual(['bots rok']);
});

it('counts of attempts are deleted after their minute', async () => {
  const minute = Math.floor(now / MINUTE);
  for (const [key, age] of [
    ['old', 2],
    ['last', 1],
    ['new', 0],
  ] as const)
    await run(`INSERT INTO tries (key, minute, count) VALUES (?, ?, 1)`, key, minute - age);
  await dropOldCounts(db, now);
  const { results } = await env.DB.prepare('SELECT key FROM tries ORDER BY minute').all();
  expect(results).toEqual([{ key: 'last' }, { key: 'new' }]);
});
