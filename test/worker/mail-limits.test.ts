import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { cappedMailStatement } from '../../worker/models/messages/outbox.ts';
import { answerReport, fileIssue } from '../../worker/models/orders/reports.ts';
import { speakerFor } from '../../worker/services/service/speak.ts';
import { db, scanOf, signedInUser } from './client.ts';
import { cell, mailsTo } from './people.ts';

const HOUR_MS = 3_600_000;

it('limits mails of a frequent kind to thirty an hour per recipient', async () => {
  const [me, other] = [`${crypto.randomUUID()}@mail.example`, `${crypto.randomUUID()}@mail.example`];
  const now = Date.now();
  const write = (to: string, kind: string, at = now) =>
    cappedMailStatement(db, { to, subject: 's', text: 't', reference: `${kind}:${crypto.randomUUID()}` }, at).run();
  for (let times = 0; times < 35; times++) await write(me, 'run');
  expect(await mailsTo(me)).toHaveLength(30);
  // Other kinds, other people and the next hour have their own.
  await write(me, 'finished');
  await write(other, 'run');
  await write(me, 'run', now + HOUR_MS + 1);
  expect(await mailsTo(me)).toHaveLength(32);
  expect(await mailsTo(other)).toHaveLength(1);
});

it('limits mails and Discord messages to two hundred a day', async () => {
  const now = Date.now();
  for (const [kind, channel] of [
    ['finished', 'mail'],
    ['discord', 'discord'],
  ] as const) {
    const to = `${crypto.randomUUID()}@mail.example`;
    const send = (at: number) =>
      cappedMailStatement(
        db,
        { to, subject: 's', text: 't', reference: `${kind}:${crypto.randomUUID()}` },
        at,
        channel,
      );
    const all = Array.from({ length: 8 * 31 }, (_, index) => send(now + Math.floor(index / 31) * (HOUR_MS + 1)));
    await env.DB.batch(all);
    // Thirty of thirty-one in each hour, up to two hundred a day.
    const perHour = await cell<string>(
      `SELECT group_concat(count) FROM (SELECT count(*) AS count FROM outbox WHERE recipient = ? GROUP BY created_at)`,
      to,
    );
    expect(perHour).toBe('30,30,30,30,30,30,20');
    await send(now + 24 * HOUR_MS + 1).run();
    expect(await cell(`SELECT count(*) FROM outbox WHERE recipient = ?`, to)).toBe(201);
  }
});

it('mails each of several concurrent reports, up to twenty open ones per account', async () => {
  const user = await signedInUser();
  const { order_id: orderId } = (await user.call('POST', '/v1/order/create', { orders: [scanOf([77])] })).data;
  const support = `${crypto.randomUUID()}@support.example`;
  const now = Date.now();
  const file = (message: string) => fileIssue(db, { user, orderId, report: { message, rows: [] }, support }, now);
  const ids = await Promise.all(Array.from({ length: 25 }, (_, index) => file(`It is wrong in way ${index}.`)));
  const kept = ids.filter((id) => id !== null);
  expect(kept).toHaveLength(20);
  expect(await mailsTo(support)).toHaveLength(20);
  const refused = await user.call('POST', `/v1/order/${orderId}/report`, { message: 'And another thing.' });
  expect(refused).toMatchObject({
    status: 409,
    msg: '20 reports of yours wait for an answer. Please write again when we have answered one.',
  });
  const other = await signedInUser();
  const theirs = (await other.call('POST', '/v1/order/create', { orders: [scanOf([78])] })).data.order_id;
  expect((await other.call('POST', `/v1/order/${theirs}/report`, { message: 'It is wrong here too.' })).status).toBe(
    200,
  );
  await answerReport(db, speakerFor(env), kept[0] ?? 0, 'We look into it.', { id: 'admin', address: '' });
  expect(await file('One more.')).not.toBeNull();
  expect(await cell('SELECT count(*) FROM issue_reports WHERE user_id = ?', user.id)).toBe(21);
  expect(await env.DB.prepare('SELECT 1 FROM issue_reports WHERE user_id IS NULL').first()).toBeNull();
});

it('accepts one of two concurrent answers to a report, and mails that one', async () => {
  const user = await signedInUser();
  const { order_id: orderId } = (await user.call('POST', '/v1/order/create', { orders: [scanOf([79])] })).data;
  const report = { message: 'It is wrong.', rows: [] };
  const id = (await fileIssue(db, { user, orderId, report, support: 'support@mail.example' })) as number;
  const by = { id: crypto.randomUUID(), address: '' };
  const answers = ['Scanned again.', 'We look into it.'];
  const taken = await Promise.all(answers.map((text) => answerReport(db, speakerFor(env), id, text, by)));
  const kept = answers[taken.indexOf(true)];
  expect([...taken].sort()).toEqual([false, true]);
  expect(await cell('SELECT answer FROM issue_reports WHERE id = ?', id)).toBe(kept);
  const mails = (await mailsTo(user.email)).filter(({ subject }) => subject === `Your report about order #${orderId}`);
  expect(mails.map(({ text }) => text)).toEqual([`${kept}\n\nYou wrote:\nIt is wrong.`]);
  expect(await cell('SELECT count(*) FROM audit_entries WHERE actor = ?', `admin:${by.id}`)).toBe(1);
});
