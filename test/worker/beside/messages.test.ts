import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listNews, publishNews, removeNews } from '../../../worker/models/messages/news.ts';
import {
  announceEnd,
  notificationsOf,
  setNotifications,
  switchOffMail,
  switchOffWebhook,
} from '../../../worker/models/messages/notifications.ts';
import {
  countUnsent,
  dropOldMails,
  listMails,
  type Mail,
  RecipientRefused,
  sendDue,
} from '../../../worker/models/messages/outbox.ts';
import { answerReport, fileIssue, listReports } from '../../../worker/models/orders/reports.ts';
import { noteTroubles } from '../../../worker/models/service/alerts.ts';
import {
  beginWork,
  dropLeftSetbacks,
  duePlans,
  failedStatement,
  LEFT_FILES,
  listJobFailures,
  noteFailure,
  planStatement,
  succeededStatement,
  tryAgainNow,
} from '../../../worker/models/service/job-failures.ts';
import { noteFailedAnswer } from '../../../worker/models/service/troubles.ts';
import { troublesNow } from '../../../worker/services/service/watch-service.ts';
import { inEnglish } from '../../support/in-english.ts';
import { db, insertUser } from '../client.ts';
import { type Cell, expectAsWritten, insertion } from './changes.ts';

/** Mails, settings, job failures and reports in every state: what a call changes, and that it changes nothing else. */

const NOW = 5_000_000_000_000;
const [MINUTE, DAY] = [60_000, 86_400_000];
const TABLES = [
  ['outbox', 'reference'],
  ['notifications', 'user_id'],
  ['setbacks', 'job', 'subject'],
  ['issue_reports', 'id'],
  ['news', 'id'],
  ['failed_answers', 'minute'],
  ['audit_entries', 'id'],
] as const;
const WHO = ['me', 'him'] as const;
const admin = { id: 'chief', address: '192.0.2.1' };

type Fields = Readonly<Record<string, Cell>>;
/** Mails by name: what differs from one that is due now. */
const MAILS: Readonly<Record<string, Fields>> = {
  due: {},
  ahead: { next_at: NOW + 1 },
  seventh: { attempts: 21, error: 'no' },
  failed: { attempts: 22, error: 'no', next_at: NOW - 1 },
  sent: { sent_at: NOW - 5, attempts: 1 },
  'sent at last': { sent_at: NOW - 5, attempts: 3, error: 'no' },
  old: { created_at: NOW - 30 * DAY - 1, sent_at: NOW - 5 },
  month: { created_at: NOW - 30 * DAY, sent_at: NOW - 5 },
};
/** Jobs by name and subject: what differs from one that began a minute ago, failed and is due now. */
const WORK: readonly (readonly [job: string, subject: string, fields: Fields])[] = [
  ['one', 'a', {}],
  ['one', 'b', { next_at: NOW + 1, tries: 2 }],
  ['one', 'c', { error: null }],
  ['one', 'd', { error: null, begun_at: NOW - 15 * MINUTE }],
  ['one', 'e', { error: null, begun_at: NOW - 15 * MINUTE - 1 }],
  ['two', 'a', { tries: 3 }],
  ['two', '', { tries: 40 }],
  ['two', 'old', { next_at: NOW - 2 * DAY - 1, begun_at: NOW - 3 * DAY }],
  ['two', 'days', { next_at: NOW - 2 * DAY, begun_at: NOW - 3 * DAY }],
  [LEFT_FILES, 'me', { next_at: NOW, error: null }],
  [LEFT_FILES, 'him', { next_at: NOW - 2 * DAY - 1, error: null }],
  [LEFT_FILES, 'her', { next_at: NOW + 1, error: null }],
  [LEFT_FILES, '', { error: null }],
  ['finishing items', 'a', {}],
  ['webhooks', 'a', { tries: 2 }],
];

beforeAll(async () => {
  for (const id of WHO) await insertUser({ id, username: id, email: `${id}@example.com` });
  for (const id of ['chief', 'deputy'])
    await insertUser({ id, username: id, email: `${id}@example.com`, role: 'admin' });
  await insertUser({ id: 'gone', username: 'gone', email: 'gone@example.com', role: 'admin', deleted_at: 1 });
});
beforeEach(async () => {
  const emptied = [
    'outbox',
    'notifications',
    'setbacks',
    'issue_reports',
    'news',
    'failed_answers',
    'payments',
    'bots',
  ];
  const orders = ['subtasks', 'items', 'orders'];
  await env.DB.batch([
    ...[...emptied, ...orders].map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
    env.DB.prepare(`DELETE FROM sqlite_sequence WHERE name IN ('outbox', 'issue_reports', 'news')`),
    ...Object.entries(MAILS).map(([reference, fields]) =>
      insertion('outbox', {
        ...{ reference, recipient: 'me@example.com', subject: reference, text: 'text', html: 'html' },
        ...{ created_at: NOW - 4 * DAY, next_at: NOW, ...fields },
      }),
    ),
    ...WORK.map(([job, subject, fields]) =>
      insertion('setbacks', { job, subject, tries: 1, begun_at: NOW - MINUTE, next_at: NOW, error: 'no', ...fields }),
    ),
    ...WHO.map((user_id) => insertion('notifications', { user_id, by_mail: 1, discord: 'sealed', trouble: 'old' })),
    ...[
      { user_id: 'me', created_at: NOW - 2, answered_at: null, answer: null },
      { user_id: 'me', created_at: NOW - 1, answered_at: NOW, answer: 'yes' },
      { user_id: 'him', created_at: NOW - 2, answered_at: null, answer: null },
    ].map((about) => insertion('issue_reports', { order_id: 1, message: 'It is wrong.', ...about })),
    ...['first', 'second'].map((title) => insertion('news', { title, body: 'b', published_at: NOW })),
  ]);
});

const orderOf = (id: number, user_id: string, ...items: readonly Fields[]) =>
  env.DB.batch([
    insertion('orders', { id, uuid: `order-${id}`, user_id, placed_at: NOW, total_cents: 0, entries: '[]' }),
    ...items.map((item, position) =>
      insertion('items', {
        ...{ id: `${id} ${position}`, order_id: id, position, product_id: 'rok-kingdom-scan', game: 'rok' },
        ...{ kingdom_id: 10 * id + position, governors: 100, full_profile: 1, price_cents: 0, details: '{}' },
        ...{ subtask_count: 1, incomplete_count: 0, ...item },
      }),
    ),
  ]);
const done = { state: 'done', snapshot_id: 1 };
const failed = { state: 'failed', error: 'It was down.' };
const ended = async (...items: readonly Fields[]) => {
  await orderOf(1, 'me', ...items);
  await orderOf(2, 'him', done, failed, { state: 'open' });
  return announceEnd(db, inEnglish, 1, 'https://m.test', NOW);
};
/** Sends due mails; returns the counts and the references in order. */
const sent = async (keep: boolean, fails: (mail: Pick<Mail, 'reference'>) => Error | null = () => null) => {
  const references: string[] = [];
  const counts = await sendDue(
    db,
    async (mail) => {
      references.push(mail.reference);
      const error = fails(mail);
      if (error) throw error;
    },
    keep,
    NOW,
  );
  return { ...counts, references };
};
const settings = async () => (await notificationsOf(db, 'me')) as Parameters<typeof switchOffWebhook>[3];
const report = { order_id: 1, item_id: 'i1', message: 'No rows.', rows: [5, 7] } as never;
const file = (id: string) =>
  fileIssue(
    db,
    { user: { id, username: id, email: `${id}@example.com` }, orderId: 1, report, support: 's@m.test' },
    NOW,
  );
const reports = (count: number, user_id: string) =>
  env.DB.batch(
    Array.from({ length: count }, () =>
      insertion('issue_reports', { user_id, order_id: 1, message: 'm', created_at: NOW }),
    ),
  );

const CASES: Readonly<Record<string, () => Promise<unknown>>> = {
  'sending due mails': () => sent(true),
  'sending without keeping texts': () => sent(false),
  'sending a mail that fails': () =>
    sent(true, ({ reference }) => (reference === 'due' ? new Error('x'.repeat(501)) : null)),
  'sending a mail that its recipient refuses': () =>
    sent(true, ({ reference }) => (reference === 'due' ? new RecipientRefused('no') : null)),
  'counting unsent mails': () => countUnsent(db),
  'dropping old mails': () => dropOldMails(db, NOW),
  'a page of mails': async () => (await listMails(db, { before: 3 })).mails.map(({ reference }) => reference),
  'switching off a webhook': async () =>
    switchOffWebhook(db, inEnglish, 'discord', await settings(), 'It is gone.', NOW),
  'switching off a webhook that was replaced meanwhile': async () =>
    switchOffWebhook(db, inEnglish, 'discord', { ...(await settings()), discord: 'other' }, 'It is gone.', NOW),
  'switching off mails': () => switchOffMail(db, inEnglish, 'ME@example.com', 'Nobody there.'),
  'switching off mails that are off already': async () => {
    await env.DB.prepare('UPDATE notifications SET by_mail = 0').run();
    await switchOffMail(db, inEnglish, 'me@example.com', 'Nobody there.');
  },
  'choosing mails only': () => setNotifications(db, 'me', { by_mail: false }, '192.0.2.1', NOW),
  'choosing a webhook only': () => setNotifications(db, 'me', { discord: 'new' }, '192.0.2.1', NOW),
  'forgetting a webhook': () => setNotifications(db, 'me', { by_mail: true, discord: null }, '192.0.2.1', NOW),
  'choosing for the first time': () => setNotifications(db, 'deputy', { discord: 'new' }, '192.0.2.1', NOW),
  'announcing an order of one item': () => ended(done),
  'announcing an order of one failed item': () => ended(failed),
  'announcing a failed item without a reason': () => ended({ state: 'failed' }, { ...done, error: 'no 3' }),
  'announcing an order that is not finished': () => ended(done, { state: 'finishing' }),
  'announcing a cancelled order': () => ended({ state: 'cancelled' }, { state: 'cancelled', error: 'why' }),
  'announcing an unavailable order': () => ended({ state: 'cancelled', error: 'why', subtask_count: 0 }),
  'announcing more items than a message names': () => ended(...Array.from({ length: 11 }, () => done)),
  'announcing twice': async () => [
    await ended(done, failed),
    await announceEnd(db, inEnglish, 1, 'https://m.test', NOW + 1),
  ],
  'announcing to a user without notifications': async () => {
    await env.DB.prepare(`UPDATE notifications SET by_mail = 0, discord = NULL WHERE user_id = 'me'`).run();
    return ended(done);
  },
  'beginning each job': async () => {
    const tries = [];
    for (const [job, subject] of WORK) tries.push(await beginWork(db, { job, subject }, NOW));
    return tries;
  },
  'beginning a new job': () => beginWork(db, { job: 'three', subject: 'a' }, NOW),
  'a job that succeeded': () =>
    succeededStatement(db, { job: 'one', subject: 'a' })
      .run()
      .then(() => null),
  'a job that failed': () =>
    failedStatement(db, { job: 'one', subject: 'a' }, { tries: 4, error: new Error('x'.repeat(501)), now: NOW })
      .run()
      .then(() => null),
  'a job that failed, with the time of its next try': () =>
    failedStatement(db, { job: 'three', subject: 'a' }, { tries: 4, next_at: NOW + 5, error: 'plain', now: NOW })
      .run()
      .then(() => null),
  'noting a failure': () => noteFailure(db, { job: 'webhooks', subject: 'a' }, { error: 'e', now: NOW, every: MINUTE }),
  'noting a failure again too soon': () =>
    noteFailure(db, { job: 'webhooks', subject: 'a' }, { error: 'e', now: NOW, every: MINUTE + 1 }),
  'noting a new failure': () =>
    noteFailure(db, { job: 'webhooks', subject: 'b' }, { error: 'e', now: NOW, every: MINUTE }),
  'dropping stale job failures': () => dropLeftSetbacks(db, NOW),
  'planning a job': () =>
    planStatement(db, { job: LEFT_FILES, subject: 'you' }, NOW + 9)
      .run()
      .then(() => null),
  'due plans': () => duePlans(db, LEFT_FILES, NOW, 9),
  'the first of the due plans': () => duePlans(db, LEFT_FILES, NOW, 1),
  'retrying a job': () => tryAgainNow(db, { job: 'one', subject: 'b' }, admin, NOW),
  'retrying a job that does not exist': () => tryAgainNow(db, { job: 'one', subject: 'z' }, admin, NOW),
  'retrying a job that starts automatically': () => tryAgainNow(db, { job: 'webhooks', subject: 'a' }, admin, NOW),
  'job failures as admins see them': async () => {
    const { count, setbacks } = await listJobFailures(db, NOW);
    return [count, setbacks.map(({ job, subject, by_itself }) => `${job} ${subject}${by_itself ? ' by itself' : ''}`)];
  },
  reporting: () => file('me'),
  'answering a report': () => answerReport(db, inEnglish, 1, 'It is mended.', admin, NOW),
  'answering a report that was answered': () => answerReport(db, inEnglish, 2, 'It is mended.', admin, NOW),
  'answering a report that does not exist': () => answerReport(db, inEnglish, 9, 'It is mended.', admin, NOW),
  'open reports': async () =>
    (await listReports(db, { open: 'true' })).reports.map(({ report_id, username }) => [report_id, username]),
  'all reports': async () => (await listReports(db, { open: 'false' })).reports.map(({ report_id }) => report_id),
  'publishing news': () => publishNews(db, { title: 'third', body: 'b', published_at: null }, admin, NOW + 1),
  'deleting news': () => removeNews(db, 1, admin, NOW),
  'deleting news that does not exist': () => removeNews(db, 9, admin, NOW),
  'counting failed answers': async () => {
    for (const at of [NOW, NOW + 1, NOW + MINUTE]) await noteFailedAnswer(db, at);
  },
  'warning admins of trouble': async () => {
    const trouble = (kind: string) => ({ kind, text: `No ${kind}.` });
    const untold = async (kinds: string[], at: number) =>
      (await noteTroubles(db, kinds.map(trouble), 'https://m.test', at)).map(({ kind }) => kind);
    return [
      await untold(['mails'], NOW),
      await untold(['mails', 'jobs'], NOW + MINUTE),
      await untold(['jobs'], NOW + 4 * MINUTE),
    ];
  },
};

it.each(Object.entries(CASES))('%s', async (_, act) => {
  await expectAsWritten(TABLES, NOW, act);
});

it('accepts a user’s twentieth open report, and no more', async () => {
  await Promise.all([reports(18, 'me'), reports(20, 'him')]);
  expect(await file('me')).toEqual(expect.any(Number));
  expect(await file('me')).toBeNull();
  expect(
    await env.DB.prepare('SELECT count(*) AS mails FROM outbox WHERE recipient = ?').bind('s@m.test').first(),
  ).toEqual({
    mails: 1,
  });
});

it('lists the ten newest news, newest first', async () => {
  for (let index = 0; index < 10; index++)
    await publishNews(db, { title: `${index}`, body: '', published_at: null }, admin, NOW - (index % 3));
  expect((await listNews(db, NOW)).map(({ title }) => title)).toEqual([
    '9',
    '6',
    '3',
    '0',
    'second',
    'first',
    '7',
    '4',
    '1',
    '8',
  ]);
});

it('reports trouble only beyond each limit and within its time window', async () => {
  const minute = Math.floor(NOW / MINUTE);
  const kinds = async () => (await troublesNow(db, ['rok', 'cod'], NOW)).map(({ text }) => text);
  const write = (table: string, rows: readonly Fields[]) => env.DB.batch(rows.map((row) => insertion(table, row)));
  await env.DB.prepare('DELETE FROM setbacks').run();
  await env.DB.prepare('DELETE FROM outbox').run();
  const bot = (bot_id: string, game: string, last_connected_at: number) =>
    insertion('bots', {
      ...{ group_id: 'g', bot_id, account_game: game, last_connected_at, packets_count: 0 },
      kingdoms: JSON.stringify({ [game]: 'all' }),
    });
  await env.DB.prepare(
    `INSERT OR IGNORE INTO bot_groups (id, name, token_hash, created_at) VALUES ('g', 'g', 'h', 1)`,
  ).run();
  await env.DB.batch([bot('a', 'rok', NOW - 10 * MINUTE + 1), bot('b', 'cod', NOW - 10 * MINUTE)]);
  await orderOf(1, 'me', { state: 'open' });
  const part = (number: number, game: string, state: string) => ({
    item_id: '1 0',
    number,
    order_id: 1,
    game,
    due: 1,
    state,
  });
  await write('subtasks', [
    ...[part(0, 'cod', 'waiting'), part(1, 'cod', 'leased'), part(2, 'cod', 'done'), part(3, 'rok', 'waiting')],
  ]);
  const idle = 'No bot of cod was seen for ten minutes; 2 subtasks are waiting.';
  expect(await kinds()).toEqual([idle]);

  const mail = (reference: string, more: Fields = {}) => ({
    ...{
      reference,
      recipient: 'a@m.test',
      subject: '',
      text: '',
      created_at: NOW - DAY + 1,
      next_at: NOW,
      attempts: 3,
    },
    ...{ error: 'no', ...more },
  });
  await write('outbox', [
    ...[mail('1'), mail('2'), mail('sent', { sent_at: NOW }), mail('no error', { error: null })],
    ...[mail('tried twice', { attempts: 2 }), mail('old', { created_at: NOW - 4 * DAY - 1 })],
  ]);
  await write('failed_answers', [
    { minute, count: 1 },
    { minute: minute - 9, count: 18 },
    { minute: minute - 10, count: 50 },
  ]);
  const payment = (id: string, more: Fields = {}) => ({
    ...{ id, user_id: 'me', amount_cents: 1, request_key: id, created_at: NOW - 60 * MINUTE, ...more },
  });
  await write('payments', [
    ...[payment('1'), payment('2', { created_at: NOW - MINUTE }), payment('new', { created_at: NOW - MINUTE + 1 })],
    ...[payment('old', { created_at: NOW - 60 * MINUTE - 1 }), payment('opened', { session_id: 's' })],
    payment('failed', { state: 'failed' }),
  ]);
  const setback = (job: string, subject: string, tries: number, error: string | null = 'no') => ({
    ...{ job, subject, tries, error, begun_at: NOW, next_at: NOW },
  });
  await write('setbacks', [setback('one', 'a', 2), setback('two', 'a', 3, null), setback('webhooks', 'a', 1, 'w')]);
  expect(await kinds()).toEqual([idle]);

  await write('outbox', [mail('3')]);
  await env.DB.prepare('UPDATE failed_answers SET count = count + 1 WHERE minute = ?').bind(minute).run();
  await write('payments', [payment('3')]);
  await write('setbacks', [setback('one', 'b', 3), setback('one', 'c', 5, 'maybe'), setback('webhooks', 'b', 2, 'v')]);
  expect(await kinds()).toEqual([
    "The job 'one' failed 5 times in a row: maybe",
    "3 calls of Stripe's webhook failed: w",
    '3 mails could not be sent.',
    '20 internal errors (5xx) in the last ten minutes.',
    'Stripe answered none of 3 top-ups of the last hour.',
    idle,
  ]);
});
