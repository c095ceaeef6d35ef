import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  countUnsent,
  dropOldMails,
  listMails,
  type Mail,
  mailStatement,
  NotSendingNow,
  RecipientRefused,
  type Sender,
  sendDue,
} from '../../worker/models/messages/outbox.ts';
import { eventually } from '../support/eventually.ts';
import { db, type Person, scanOf, signedInAdmin, signedInUser } from './client.ts';
import { cell, mailsTo } from './people.ts';

/** Mails in the outbox: order, attempts and storage. */

const NOW = Date.now();
const DAY_MS = 86_400_000;

beforeEach(async () => {
  await env.DB.prepare('DELETE FROM outbox').run();
});

const write = async (recipient: string, references: readonly string[], at = NOW) => {
  await env.DB.batch(
    references.map((reference, index) =>
      mailStatement(db, { to: recipient, subject: `About ${reference}`, text: 'Text', reference }, at + index),
    ),
  );
};
const named = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}-${index}`);
const mail = (reference: string) =>
  env.DB.prepare(`SELECT attempts, next_at, sent_at, error, text, html FROM outbox WHERE reference = ?`)
    .bind(reference)
    .first<Pick<Mail, 'attempts' | 'next_at' | 'sent_at' | 'error' | 'text' | 'html'>>();

/** A sender that records what it was given, and throws what `refuses` returns. */
function postbox(refuses: (reference: string) => Error | null = () => null) {
  const sent: string[] = [];
  const send: Sender = async ({ reference }) => {
    const error = refuses(reference);
    if (error) throw error;
    sent.push(reference);
  };
  return { sent, send };
}

describe('a mail', () => {
  it('that cannot be sent is retried for three days, with growing waits', async () => {
    await write('a@mail.example', ['stuck']);
    const { send } = postbox(() => new Error('x'.repeat(600)));
    let at = NOW;
    for (let tries = 1; (await countUnsent(db)).waiting > 0; tries++) {
      expect(await sendDue(db, send, false, at)).toEqual({ taken: 1, sent: 0 });
      const next = at + Math.min(30_000 * 2 ** (tries - 1), 6 * 3_600_000);
      expect(await mail('stuck')).toMatchObject({ attempts: tries, next_at: next, sent_at: null, text: 'Text' });
      expect((await sendDue(db, send, false, next - 1)).taken).toBe(0);
      if ((await countUnsent(db)).waiting > 0) at = next;
    }
    expect(at - NOW).toBeGreaterThan(3 * DAY_MS);
    expect(at - NOW).toBeLessThan(3.5 * DAY_MS);
    expect(await countUnsent(db)).toEqual({ waiting: 0, failed: 1 });
    at += DAY_MS;
    expect((await mail('stuck'))?.error).toBe('x'.repeat(500));
    expect((await sendDue(db, send, false, at)).taken).toBe(0);
  });

  it('is sent once, and its text is dropped unless texts are kept', async () => {
    await write('a@mail.example', ['first', 'second']);
    await env.DB.prepare(`UPDATE outbox SET html = '<p>Text</p>', error = 'before'`).run();
    const { send, sent } = postbox();
    expect(await sendDue(db, send, false, NOW)).toEqual({ taken: 1, sent: 1 });
    expect(await mail('first')).toEqual({
      attempts: 1,
      next_at: NOW + 30_000,
      sent_at: NOW,
      error: null,
      text: '',
      html: '',
    });
    await sendDue(db, send, true, NOW + 1);
    expect(await mail('second')).toMatchObject({ sent_at: NOW + 1, text: 'Text', html: '<p>Text</p>' });
    expect((await sendDue(db, send, true, NOW + DAY_MS)).taken).toBe(0);
    expect(sent).toEqual(['first', 'second']);
    expect(await countUnsent(db)).toEqual({ waiting: 0, failed: 0 });
  });

  it('that its recipient refuses for good is not retried, and delays no other', async () => {
    await write('gone@mail.example', ['refused']);
    await write('busy@mail.example', ['failed']);
    await write('fine@mail.example', ['taken']);
    const { send, sent } = postbox((reference) =>
      reference === 'refused'
        ? new RecipientRefused('No such address.')
        : reference === 'failed'
          ? new Error('Busy.')
          : null,
    );
    expect(await sendDue(db, send, false, NOW)).toEqual({ taken: 3, sent: 1 });
    expect(sent).toEqual(['taken']);
    expect(await mail('refused')).toMatchObject({ attempts: 22, error: 'No such address.', sent_at: null });
    expect(await mail('failed')).toMatchObject({ attempts: 1, error: 'Busy.', sent_at: null });
    expect((await sendDue(db, send, false, NOW + DAY_MS)).taken).toBe(1);
  });

  it('is written once per reference', async () => {
    await write('a@mail.example', ['reset:1']);
    await write('b@mail.example', ['reset:1'], NOW + 5);
    expect((await listMails(db, {})).mails).toMatchObject([{ recipient: 'a@mail.example', created_at: NOW }]);
  });
});

describe('a service that sends nothing for now', () => {
  it('costs no tries, is asked once a round, and is given the time it asks for', async () => {
    await write('a@mail.example', named('quota', 3));
    let calls = 0;
    const { send } = postbox(() => {
      calls += 1;
      return new NotSendingNow('The daily limit is used up.', 30 * 60_000);
    });
    for (const [round, at] of Array.from(
      { length: 200 },
      (_, round) => [round, NOW + 10 + round * 30 * 60_000] as const,
    )) {
      expect(await sendDue(db, send, false, at)).toEqual({ taken: 3, sent: 0 });
      expect(calls).toBe(round + 1);
    }
    expect(await mail('quota-2')).toMatchObject({
      attempts: 0,
      next_at: NOW + 10 + 200 * 30 * 60_000,
      error: 'The daily limit is used up.',
    });
    const open = postbox();
    expect(await sendDue(db, open.send, false, NOW + 10 + 200 * 30 * 60_000)).toEqual({ taken: 3, sent: 3 });
  });

  it('does not delay the webhooks of others', async () => {
    const statement = `INSERT INTO outbox (channel, reference, recipient, subject, text, created_at, next_at)
      VALUES ('discord', ?1, ?1, 's', 't', ?2, ?2)`;
    await env.DB.batch(['limited', 'free'].map((name) => env.DB.prepare(statement).bind(name, NOW)));
    const { send, sent } = postbox((name) => (name === 'limited' ? new NotSendingNow('Slower.', 1000) : null));
    expect(await sendDue(db, send, false, NOW)).toEqual({ taken: 2, sent: 1 });
    expect(sent).toEqual(['free']);
  });
});

describe('a failed mail', () => {
  const again = async (admin: Person, id: unknown) => admin.call('POST', '/v1/admin/outbox/again', { id });

  it('can be sent again by an admin, once, with all its tries', async () => {
    const admin = await signedInAdmin();
    await write('gone@mail.example', ['refused']);
    await write('gone@mail.example', ['other'], NOW + 3_600_000);
    await sendDue(db, postbox(() => new RecipientRefused('No such address.')).send, false, NOW + 10);
    const listed = (await admin.call('GET', '/v1/admin/outbox')).data.mails;
    expect(listed).toMatchObject([{ given_up: false }, { given_up: true, error: 'No such address.' }]);
    const [{ id: fresh }, { id }] = listed;
    expect(await again(admin, fresh)).toMatchObject({ status: 409 });
    expect(await again(admin, id)).toMatchObject({ status: 200, data: { mails: 1 } });
    // The round of that call sends it.
    await eventually(async () => expect((await mail('refused'))?.sent_at).not.toBeNull());
    expect(await mail('refused')).toMatchObject({ attempts: 1, error: null });
    expect(await again(admin, id)).toMatchObject({ status: 409 });
    expect(await cell(`SELECT subject FROM audit_entries WHERE action = 'mails.sent_again'`)).toBe(String(id));
  });

  it('can be sent again with all unsent ones, and never with one that was sent', async () => {
    const admin = await signedInAdmin();
    await write('a@mail.example', ['sent']);
    await sendDue(db, postbox().send, false, NOW);
    await write('gone@mail.example', ['refused']);
    await write('busy@mail.example', ['failed']);
    const refuses = (name: string) => (name === 'refused' ? new RecipientRefused('No.') : new Error('Busy.'));
    await sendDue(db, postbox(refuses).send, false, NOW);
    expect(await again(admin, 'all')).toMatchObject({ status: 200, data: { mails: 2 } });
    await eventually(async () => expect(await countUnsent(db)).toEqual({ waiting: 0, failed: 0 }));
    expect(await mail('sent')).toMatchObject({ attempts: 1 });
    expect(await again(admin, 'all')).toMatchObject({ status: 409, msg: 'No mail failed.' });
    expect(await again(admin, 'none')).toMatchObject({ status: 400 });
  });

  it('cannot be sent again by users', async () => {
    expect(await again(await signedInUser(), 'all')).toMatchObject({ status: 404 });
  });
});

describe('a round', () => {
  it('takes twenty, one per recipient in turn, the longest waiting first', async () => {
    await write('heap@mail.example', named('heap', 30));
    await write('few@mail.example', named('few', 3), NOW + 100);
    await write('late@mail.example', ['late'], NOW + 200);
    await write('later@mail.example', ['not yet'], NOW + 301);
    const { send, sent } = postbox();
    expect(await sendDue(db, send, false, NOW + 300)).toEqual({ taken: 20, sent: 20 });
    expect(new Set(sent)).toEqual(new Set([...named('heap', 16), ...named('few', 3), 'late']));
    expect(await sendDue(db, send, false, NOW + 300)).toEqual({ taken: 14, sent: 14 });
    expect(await countUnsent(db)).toEqual({ waiting: 1, failed: 0 });
  });

  it('leaves mails to a round that took them while a send took longer than their reservation', async () => {
    const names = ['slow', 'other', 'third'];
    for (const name of names) await write(`${name}@mail.example`, [name]);
    const later = postbox();
    const earlier = postbox();
    const started = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(started);
    try {
      const slowly: Sender = async (mail) => {
        await earlier.send(mail);
        if (earlier.sent.length > 1) return;
        clock.mockReturnValue(started + 31_000);
        await sendDue(db, later.send, false, NOW + 31_000);
      };
      expect(await sendDue(db, slowly, false, NOW)).toEqual({ taken: 3, sent: 1 });
    } finally {
      clock.mockRestore();
    }
    expect(earlier.sent).toHaveLength(1);
    expect(later.sent.sort()).toEqual(names.toSorted());
  });

  it('keeps its mails reserved while each send is slow', async () => {
    const names = named('slow', 6);
    for (const name of names) await write(`${name}@mail.example`, [name]);
    const { send, sent } = postbox();
    const other = postbox();
    const started = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(started);
    try {
      const slowly: Sender = async (mail) => {
        await send(mail);
        const passed = sent.length * 10_000;
        clock.mockReturnValue(started + passed);
        await sendDue(db, other.send, false, NOW + passed);
      };
      expect(await sendDue(db, slowly, false, NOW)).toEqual({ taken: 6, sent: 6 });
    } finally {
      clock.mockRestore();
    }
    expect(other.sent).toEqual([]);
    expect(sent.sort()).toEqual(names);
  });

  it('sends nothing twice if two rounds overlap', async () => {
    await write('a@mail.example', named('both', 30));
    const { send, sent } = postbox();
    const rounds = await Promise.all([sendDue(db, send, false, NOW + 50), sendDue(db, send, false, NOW + 50)]);
    expect(rounds.map(({ taken }) => taken).sort()).toEqual([10, 20]);
    expect(sent.sort()).toEqual(named('both', 30).sort());
  });
});

describe('the table', () => {
  it('is listed for admins in pages of fifty, newest first, and keeps a month', async () => {
    await write('a@mail.example', named('listed', 52));
    const admin = await signedInAdmin();
    const { mails: page } = await listMails(db, {});
    expect(page.map(({ reference }) => reference)).toEqual(named('listed', 52).toReversed().slice(0, 50));
    const { mails: rest } = await listMails(db, { before: page.at(-1)?.id });
    expect(rest.map(({ reference }) => reference)).toEqual(['listed-1', 'listed-0']);
    // Admins reach all of them by pages, and no page after the last.
    const called = async (before: string) => (await admin.call('GET', `/v1/admin/outbox${before}`)).data;
    const first = await called('');
    const last = await called(`?before=${first.next}`);
    expect([...first.mails, ...last.mails].map(({ subject }) => subject)).toEqual(
      [...page, ...rest].map(({ subject }) => subject),
    );
    expect([first.mails.length, last.next]).toEqual([50, null]);

    await dropOldMails(db, NOW + 1 + 30 * DAY_MS);
    expect((await listMails(db, { before: page.at(-1)?.id })).mails.map(({ reference }) => reference)).toEqual([
      'listed-1',
    ]);
  });
});

it('a customer’s report about an order is mailed to support', async () => {
  const user = await signedInUser();
  const { order_id } = (await user.call('POST', '/v1/order/create', { orders: [scanOf([51])] })).data;
  await user.call('POST', `/v1/order/${order_id}/report`, { message: 'It is not right.' });
  const [mail] = await mailsTo(env.SUPPORT_EMAIL);
  expect(mail).toMatchObject({
    subject: `Order #${order_id}: an issue was reported`,
    text: expect.stringContaining(user.email),
  });
});
