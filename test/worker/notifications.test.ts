import { runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Task } from '../../domain/fleet/contract.ts';
import { addCatalogue, keyOf } from '../../domain/language/text.ts';
import { NOBODY_FOUND } from '../../domain/orders/reasons.ts';
import { switchOffMail } from '../../worker/models/messages/notifications.ts';
import { cappedMailStatement, dropOldMails, sendDue } from '../../worker/models/messages/outbox.ts';
import { noteCopy } from '../../worker/models/service/operator.ts';
import { senderOf, sendOutbox } from '../../worker/services/messages/send-outbox.ts';
import { eventually } from '../support/eventually.ts';
import { inEnglish } from '../support/in-english.ts';
import {
  type Answer,
  bot,
  db,
  PASSWORD,
  production,
  scanOf,
  settled,
  signedInAdmin,
  signedInUser,
  work,
} from './client.ts';
import { clocked } from './clocked-limit.ts';
import { cell, mailsTo } from './people.ts';

type User = Awaited<ReturnType<typeof signedInUser>>;

let webhooks = 0;
/** Returns a new webhook, whose token decides how the stand-in answers. */
const webhook = (answers = 'works') => {
  const id = `90000000${String(++webhooks).padStart(4, '0')}`;
  const token = `${answers}-${crypto.randomUUID()}`;
  return { id, token, url: `https://discord.com/api/webhooks/${id}/${token}` };
};

const choose = (user: User, settings: object): Promise<Answer> =>
  user.call('POST', '/v1/account/notifications', settings);
const settingsOf = async (user: User) => (await user.call('GET', '/v1/account/notifications')).data;
const received = async (id: string): Promise<{ content: string; allowed_mentions: unknown }[]> =>
  (await fetch(`http://discord.test/received/${id}`)).json();
const outboxOf = async (recipient: string) =>
  (
    await env.DB.prepare(`SELECT channel, reference, attempts, sent_at, error FROM outbox WHERE recipient = ?`)
      .bind(recipient)
      .all<{ channel: string; reference: string; attempts: number; sent_at: number | null; error: string | null }>()
  ).results;

async function place(user: User, kingdoms: number[]): Promise<number> {
  const { status, data, msg } = await user.call('POST', '/v1/order/create', { orders: [scanOf(kingdoms)] });
  if (status !== 200) throw new Error(msg);
  return data.order_id;
}

describe('the settings', () => {
  it('are off at first, keep a webhook secret, and can forget it', async () => {
    const user = await signedInUser();
    const events = { events_by_mail: true, events_by_webhook: true };
    expect(await settingsOf(user)).toEqual({ by_mail: false, ...events, discord: null, trouble: null });
    const { id, token, url } = webhook();
    const { data } = await choose(user, { by_mail: true, discord_url: url });
    expect(data).toEqual({
      by_mail: true,
      ...events,
      discord: `discord.com/api/webhooks/…${id.slice(-4)}/…`,
      trouble: null,
    });
    expect(await settingsOf(user)).toEqual(data);
    const kept = await cell<string>('SELECT discord FROM notifications WHERE user_id = ?', user.id);
    expect(kept).not.toContain(token);
    expect(JSON.stringify((await user.call('GET', '/v1/account/export')).data)).not.toContain(token);
    expect(await cell('SELECT count(*) FROM audit_entries WHERE instr(detail, ?)', token)).toBe(0);

    expect((await choose(user, { by_mail: false })).data).toMatchObject({ by_mail: false, discord: data.discord });
    expect((await choose(user, { discord_url: '' })).data).toMatchObject({ discord: null });
  });

  const { id, token } = webhook();
  it.each([
    ['another protocol', `http://discord.com/api/webhooks/${id}/${token}`],
    ['another host', `https://example.com/api/webhooks/${id}/${token}`],
    ['a host that begins alike', `https://discord.com.example.com/api/webhooks/${id}/${token}`],
    ['a host behind a name', `https://discord.com@example.com/api/webhooks/${id}/${token}`],
    ['a port', `https://discord.com:8443/api/webhooks/${id}/${token}`],
    ['a query', `https://discord.com/api/webhooks/${id}/${token}?thread_id=1`],
    ['another path', `https://discord.com/api/v10/users/@me/${id}/${token}`],
    ['a path that climbs', `https://discord.com/api/webhooks/${id}/${token}/../../../users`],
    ['no address', 'my channel'],
  ])('refuse %s', async (_, discord_url) => {
    const user = await signedInUser();
    const refused = await choose(user, { discord_url });
    expect(refused).toMatchObject({ status: 400, msg: expect.stringContaining('address of a Discord webhook') });
    expect((await settingsOf(user)).discord).toBeNull();
  });

  it('are deleted with the account', async () => {
    const user = await signedInUser();
    await choose(user, { by_mail: true, discord_url: webhook().url });
    const body = { current_password: PASSWORD, username: user.username };
    expect((await user.call('POST', '/v1/account/delete', body)).status).toBe(200);
    expect(await cell('SELECT count(*) FROM notifications WHERE user_id = ?', user.id)).toBe(0);
  });

  it('can be tested with a message, five times a minute', async () => {
    const limit = clocked('NOTIFY_USER');
    const user = await signedInUser();
    const test = () => user.call('POST', '/v1/account/notifications/test');
    expect(await test()).toMatchObject({ status: 409, msg: expect.stringContaining('webhook first') });
    const { id: hook, url } = webhook();
    await choose(user, { discord_url: url });
    expect((await test()).status).toBe(200);
    expect(await received(hook)).toMatchObject([{ allowed_mentions: { parse: [] } }]);
    await choose(user, { discord_url: webhook('busy').url });
    expect(await test()).toMatchObject({ status: 503, msg: expect.stringContaining('try again') });
    await choose(user, { discord_url: webhook('gone').url });
    expect(await test()).toMatchObject({ status: 409, msg: expect.stringContaining('does not exist') });
    expect(await settingsOf(user)).toMatchObject({ discord: null, trouble: expect.stringContaining('switched off') });
    expect((await test()).status).toBe(409);
    expect((await test()).status).toBe(429);
    limit.now += 60_000;
    expect((await test()).status).toBe(409);
  });
});

describe('a finished order', () => {
  it('is announced once by each chosen way, whatever is repeated', async () => {
    const user = await signedInUser();
    const { id, url } = webhook();
    await choose(user, { by_mail: true, discord_url: url });
    const orderId = await place(user, [71_001, 71_002]);
    const worker = await bot();
    const lease = async () =>
      (await worker.call('POST', '/v1/fleet/lease', { bot_id: worker.name, games: ['rok'], count: 1 })).data
        .tasks[0] as Task;
    const failed = await lease();
    await worker.call('POST', '/v1/fleet/fail', {
      bot_id: worker.name,
      subtask_id: failed.subtask_id,
      lease: failed.lease,
      reason: '@everyone [free gems](https://evil.example) **now**',
      permanent: true,
    });
    expect(await outboxOf(user.id)).toEqual([]);
    await work(worker);
    await settled(user);
    const object = env.ORDER_PROGRESS.getByName(String(orderId));
    await object.lookAgain(failed.item_id);
    await runDurableObjectAlarm(object);
    await eventually(async () => expect(await outboxOf(user.id)).toHaveLength(1));
    await Promise.all([sendOutbox(env), sendOutbox(env)]);
    await eventually(async () => expect((await outboxOf(user.id))[0]?.sent_at).not.toBeNull());

    const [message, ...others] = await received(id);
    expect(others).toEqual([]);
    expect(message?.allowed_mentions).toEqual({ parse: [] });
    expect(message?.content).toContain(`**Order ${orderId} is finished.** 1 of 2 scans have results.`);
    expect(message?.content).toContain(String.raw`\@everyone \[free gems\]\(https\://evil.example\) \*\*now\*\*`);
    expect(message?.content).toContain(`http://muster.test/order/${orderId}?all=true`);
    const mails = await mailsTo(`${user.username}@example.com`);
    expect(mails.map(({ subject }) => subject)).toEqual([`Order #${orderId} is finished`]);
    expect(mails[0]?.text).toContain(`http://muster.test/order/${orderId}?all=true`);

    // A repair does not finish the order a second time, even if the outbox has forgotten the first.
    await dropOldMails(db, Date.now() + 31 * 86_400_000);
    expect((await user.call('POST', `/v1/order/${orderId}/repair`)).data.requeued).toBe(1);
    await work(worker);
    await settled(user);
    await sendOutbox(env);
    expect(await received(id)).toHaveLength(1);
    expect(await mailsTo(`${user.username}@example.com`)).toEqual([]);
  });

  it('is not announced without settings, nor if its user cancelled it', async () => {
    const [silent, user] = [await signedInUser(), await signedInUser()];
    await choose(user, { by_mail: true });
    const orderId = await place(user, [71_003]);
    expect((await user.call('POST', `/v1/order/${orderId}/cancel`)).status).toBe(200);
    await place(silent, [71_004]);
    await work(await bot());
    await settled(silent);
    for (const { username } of [silent, user]) expect(await mailsTo(`${username}@example.com`)).toEqual([]);
  });

  it('is announced if bots found nobody, in the user’s language', async () => {
    const user = await signedInUser();
    await user.call('PUT', '/v1/account/language', { language: 'ko' });
    // A translation of the catalogue itself counts before this one.
    addCatalogue('ko', { messages: { [keyOf(NOBODY_FOUND)]: '봇이 아무도 찾지 못함' } });
    await choose(user, { by_mail: true });
    const orderId = await place(user, [71_009]);
    const bots = [await bot(), await bot()];
    for (const each of [...bots, ...bots]) await work(each, 0);
    expect((await settled(user)).items).toMatchObject([{ state: 'cancelled' }]);
    const told = `SELECT reference, text FROM outbox WHERE recipient = '${user.username}@example.com'`;
    const uuid = await cell('SELECT uuid FROM orders WHERE id = ?', orderId);
    await eventually(async () =>
      expect((await env.DB.prepare(told).all()).results).toEqual([
        { reference: `finished:${uuid}`, text: expect.stringMatching(/왕국 71009:[^A-Za-z]*[가-힣]/) },
      ]),
    );
  });

  const finishes = async (user: User, kingdom: number) => {
    await place(user, [kingdom]);
    await work(await bot());
    await settled(user);
    await eventually(async () => expect(await outboxOf(user.id)).toHaveLength(1));
    await sendOutbox(env);
    // A call may have taken the message and still be sending it.
    await eventually(async () => expect((await outboxOf(user.id))[0]?.error).not.toBeNull());
  };

  it('with a deleted webhook switches it off, mails its user and is not retried', async () => {
    const user = await signedInUser();
    await choose(user, { discord_url: webhook('gone').url });
    await finishes(user, 71_005);
    expect(await outboxOf(user.id)).toMatchObject([{ channel: 'discord', attempts: 22, sent_at: null }]);
    expect(await settingsOf(user)).toMatchObject({ discord: null, trouble: expect.stringContaining('does not exist') });
    const [mail] = await mailsTo(`${user.username}@example.com`);
    expect(mail?.subject).toBe('Messages to Discord were switched off');
  });

  it.each(['busy', 'moved'])('with a webhook that is %s is retried later, at no other address', async (answers) => {
    const user = await signedInUser();
    const { id, url } = webhook(answers);
    await choose(user, { discord_url: url });
    await finishes(user, answers === 'busy' ? 71_006 : 71_007);
    const [attempts, error] =
      answers === 'busy'
        ? [0, 'Discord limits how often this webhook may write.']
        : [1, expect.stringMatching(/Discord answered \d+/)];
    expect(await outboxOf(user.id)).toMatchObject([{ attempts, sent_at: null, error }]);
    await sendDue(db, senderOf(env), true, Date.now() + 31_000);
    expect(await received(id)).toHaveLength(2);
    expect(await received('elsewhere')).toEqual([]);
    expect((await settingsOf(user)).discord).not.toBeNull();
  });

  it('with a mail address that refuses for good switches mails off', async () => {
    const user = await signedInUser();
    await choose(user, { by_mail: true });
    await place(user, [71_008]);
    await work(await bot());
    await settled(user);
    const address = `${user.username}@example.com`;
    await eventually(async () => expect(await outboxOf(address)).toHaveLength(1));
    // Tests have no mail service; this is the error that the platform's API throws.
    const EMAIL = {
      send: () => Promise.reject(Object.assign(new Error('suppressed'), { code: 'E_RECIPIENT_SUPPRESSED' })),
    } as unknown as SendEmail;
    await sendDue(db, senderOf({ ...env, ENVIRONMENT: 'production', DISCORD_API_BASE: '', EMAIL }), false);
    expect(await outboxOf(address)).toMatchObject([{ attempts: 22, sent_at: null }]);
    expect(await settingsOf(user)).toMatchObject({
      by_mail: false,
      trouble: expect.stringContaining('does not accept our mail'),
    });
    // A user without such mails has no notice of them.
    const silent = await signedInUser();
    await choose(silent, { by_mail: false, events_by_mail: false });
    await switchOffMail(db, inEnglish, `${silent.username}@example.com`, 'No such address.');
    expect(await settingsOf(silent)).toMatchObject({ by_mail: false, trouble: null });
  });
});

it('a staging with a restored backup writes only to admins, to support and to accounts registered since', async () => {
  const [before, admin, other] = [
    await signedInUser(),
    await signedInAdmin(),
    `other-${crypto.randomUUID()}@mail.test`,
  ];
  await scheduler.wait(2);
  const restored = Date.now();
  await scheduler.wait(2);
  const since = await signedInUser();
  for (const user of [before, since]) await choose(user, { discord_url: webhook().url });
  // Changes of address that wait for their confirmation, the last to the address of a customer.
  const [next, customers] = [`next-${crypto.randomUUID()}@mail.test`, `next-${crypto.randomUUID()}@mail.test`];
  const changes = [
    [since.id, next.toUpperCase()],
    [before.id, customers],
    [since.id, before.email],
  ];
  await env.DB.batch(
    changes.map(([userId, email]) =>
      env.DB.prepare(
        `INSERT INTO mail_tokens (id, user_id, kind, email, created_at, expires_at) VALUES (?, ?, 'change_email', ?, ?, ?)`,
      ).bind(crypto.randomUUID(), userId, email, restored, restored + 60_000),
    ),
  );
  const addresses = [before.email, other, admin.email, since.email, next, customers, 'support@muster.test'];
  const sent: string[] = [];
  const EMAIL = { send: async ({ to }: { to: string }) => sent.push(to) } as unknown as SendEmail;
  const sentBy = async (ENVIRONMENT: string, round: string) => {
    sent.length = 0;
    const about = (to: string, channel: 'mail' | 'discord') =>
      cappedMailStatement(db, { to, subject: 'About', text: 'Text', reference: `${round}:${to}` }, Date.now(), channel);
    await env.DB.prepare('DELETE FROM outbox').run();
    await env.DB.batch([
      ...addresses.map((address) => about(address, 'mail')),
      ...[before.id, since.id].map((id) => about(id, 'discord')),
    ]);
    for (let taken = 1; taken > 0; )
      ({ taken } = await sendOutbox(production({ ENVIRONMENT, EMAIL, DISCORD_API_BASE: 'http://discord.test' })));
    return [...sent].sort();
  };
  expect(await sentBy('staging', 'first')).toEqual([...addresses].sort());
  await noteCopy(db, { name: 'op' }, 'backup.restored', {}, restored);
  expect(await sentBy('staging', 'second')).toEqual([admin.email, since.email, next, 'support@muster.test'].sort());
  // Only a message that is on its way to Discord meets the address that no staging may have.
  const tried = expect.stringContaining('DISCORD_API_BASE');
  expect(await outboxOf(before.id)).toMatchObject([{ error: null }]);
  expect(await outboxOf(since.id)).toMatchObject([{ error: tried }]);
  expect(await sentBy('production', 'third')).toEqual([...addresses].sort());
  // Notices to the former addresses of both.
  for (const user of [before, since]) {
    const id = await env.DB.prepare('SELECT id FROM mail_tokens WHERE user_id = ?').bind(user.id).first<string>('id');
    const mail = { to: `former-${user.id}@mail.test`, subject: 'Changed', text: 'T', reference: `email_changed:${id}` };
    await cappedMailStatement(db, mail, Date.now()).run();
  }
  sent.length = 0;
  await sendOutbox(production({ ENVIRONMENT: 'staging', EMAIL }));
  expect(sent).toEqual([`former-${since.id}@mail.test`]);
  expect(await outboxOf(before.id)).toMatchObject([{ error: tried }]);
});
