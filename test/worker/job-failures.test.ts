import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { waitAfter } from '../../domain/work.ts';
import { FINISHING, finishedItems } from '../../worker/models/orders/finishing.ts';
import {
  beginWork,
  dropLeftSetbacks,
  failedStatement,
  type Job,
  listJobFailures,
  succeededStatement,
  tryAgainNow,
} from '../../worker/models/service/job-failures.ts';
import { oneByOne, runIsolated } from '../../worker/services/service/one-by-one.ts';
import { db, scanOf, signedInUser } from './client.ts';
import { cell } from './people.ts';

/** Backoff of failed jobs, with the test's own clock. */

const MINUTE = 60_000;
const NOW = Date.now() + 1000 * 86_400_000;
let made = 0;
const work = (subject = 'one'): Job => ({ job: `job ${++made}`, subject });
const nextOf = ({ job, subject }: Job) =>
  cell<number>('SELECT next_at FROM setbacks WHERE job = ? AND subject = ?', job, subject);
const isThere = ({ job }: Job) => cell<number>('SELECT count(*) FROM setbacks WHERE job = ?', job);

describe('a failed job', () => {
  it('waits half a minute, then twice as long each time, up to six hours', async () => {
    const piece = work();
    let now = NOW;
    for (let tries = 1; tries <= 25; tries++) {
      expect(await beginWork(db, piece, now)).toBe(tries);
      const next = await nextOf(piece);
      expect(next - now).toBe(waitAfter(tries));
      expect(await beginWork(db, piece, next - 1)).toBeNull();
      now = next;
    }
    expect((await nextOf(piece)) - now).toBeLessThanOrEqual(6 * 60 * MINUTE);
  });

  it('waits at most five minutes if it is a whole job', async () => {
    const job = work('');
    const waits: number[] = [];
    for (let now = NOW; waits.length < 7; now = await nextOf(job)) {
      await beginWork(db, job, now);
      waits.push(((await nextOf(job)) - now) / 1000);
    }
    expect(waits).toEqual([30, 60, 120, 240, 300, 300, 300]);
  });

  it('is started by one of several concurrent callers, without blocking other subjects', async () => {
    const piece = work();
    const begun = await Promise.all(Array.from({ length: 5 }, () => beginWork(db, piece, NOW)));
    expect(begun.filter((tries) => tries !== null)).toEqual([1]);
    expect(await beginWork(db, { ...piece, subject: 'two' }, NOW)).toBe(1);
  });

  it('is forgotten after a success, without affecting other subjects', async () => {
    const piece = work();
    const other = { ...piece, subject: 'two' };
    await beginWork(db, piece, NOW);
    await beginWork(db, other, NOW);
    await succeededStatement(db, piece).run();
    expect(await isThere(piece)).toBe(1);
    expect(await beginWork(db, piece, NOW)).toBe(1);
  });

  it('is recorded with a shortened reason, and with its own next time if given', async () => {
    const piece = work();
    await beginWork(db, piece, NOW);
    const failed = (about: object) =>
      failedStatement(db, piece, { tries: 3, error: new Error('x'.repeat(600)), now: NOW + 1, ...about }).run();
    await failed({});
    expect(await nextOf(piece)).toBe(NOW + 30_000);
    expect(await cell<string>('SELECT error FROM setbacks WHERE job = ?', piece.job)).toHaveLength(500);
    await failed({ next_at: NOW + 5, error: 'plain' });
    expect(await nextOf(piece)).toBe(NOW + 5);
    expect(await cell('SELECT error FROM setbacks WHERE job = ?', piece.job)).toBe('plain');
    expect(await cell('SELECT tries FROM setbacks WHERE job = ?', piece.job)).toBe(3);
  });

  it('can be retried at once by an admin, which is logged', async () => {
    const piece = work();
    const admin = { id: 'a', address: '' };
    const logged = () => cell<number>(`SELECT count(*) FROM audit_entries WHERE subject = ?`, `${piece.job} one`);
    expect(await tryAgainNow(db, piece, admin, NOW)).toBe(false);
    expect(await logged()).toBe(0);
    await beginWork(db, piece, NOW);
    expect(await tryAgainNow(db, piece, admin, NOW + 1)).toBe(true);
    expect([await nextOf(piece), await logged()]).toEqual([NOW + 1, 1]);
    expect(await beginWork(db, piece, NOW + 1)).toBe(2);
  });

  it('is forgotten two days after its retry was due', async () => {
    const piece = work();
    await beginWork(db, piece, NOW);
    const next = await nextOf(piece);
    await dropLeftSetbacks(db, next + 2 * 1440 * MINUTE);
    expect(await isThere(piece)).toBe(1);
    await dropLeftSetbacks(db, next + 2 * 1440 * MINUTE + 1);
    expect(await isThere(piece)).toBe(0);
  });
});

it('admins see failed jobs, and jobs silent for 15 minutes, newest first', async () => {
  const [silent, failed, later] = [work(), work(), work()];
  await beginWork(db, silent, NOW);
  await beginWork(db, failed, NOW + 1);
  await failedStatement(db, failed, { tries: 1, error: 'e', now: NOW }).run();
  await beginWork(db, later, NOW + 2);
  await failedStatement(db, later, { tries: 1, error: 'e', now: NOW }).run();
  const seen = async (at: number) => {
    const { count, setbacks } = await listJobFailures(db, at);
    expect(count).toBe(setbacks.length);
    return setbacks.map(({ job }) => job).filter((job) => [silent, failed, later].some((each) => each.job === job));
  };
  expect(await seen(NOW + 15 * MINUTE)).toEqual([later.job, failed.job]);
  expect(await seen(NOW + 15 * MINUTE + 1)).toEqual([later.job, failed.job, silent.job]);
});

describe('rows processed one by one', () => {
  it('continue after one that fails, which waits for its retry', async () => {
    const { job } = work();
    const done: string[] = [];
    const act = async (row: string) => {
      if (row === 'bad') throw new Error('no');
      done.push(row);
    };
    const round = (now: number) =>
      oneByOne(db, { job, rows: ['a', 'bad', 'b'], subjectOf: (row: string) => row }, act, now);
    expect([await round(NOW), done.splice(0)]).toEqual([2, ['a', 'b']]);
    expect([await round(NOW + 29_999), done.splice(0)]).toEqual([2, ['a', 'b']]);
    expect(await cell('SELECT tries FROM setbacks WHERE job = ?', job)).toBe(1);
    expect(await round(NOW + 30_000)).toBe(2);
    expect(await cell('SELECT tries FROM setbacks WHERE job = ?', job)).toBe(2);
  });

  it('are awaited, and forgotten after a success', async () => {
    const piece = work();
    let over = false;
    const well = await runIsolated(
      db,
      piece,
      async () => {
        await new Promise((done) => setTimeout(done, 5));
        over = true;
      },
      NOW,
    );
    expect([well, over, await isThere(piece)]).toEqual([true, true, 0]);
  });
});

it('lists items whose subtasks have all ended, but not those in progress', async () => {
  const user = await signedInUser();
  const { order_id: orderId } = (await user.call('POST', '/v1/order/create', { orders: [scanOf([4911, 4912])] })).data;
  const { order_id: other } = (await user.call('POST', '/v1/order/create', { orders: [scanOf([4913])] })).data;
  const ended = (order: number, place: number) =>
    env.DB.prepare('UPDATE items SET incomplete_count = 0 WHERE order_id = ? AND position = ? RETURNING id')
      .bind(order, place)
      .first<string>('id');
  const [mine, theirs] = [await ended(orderId, 1), await ended(other, 0)];
  const found = async (of: Parameters<typeof finishedItems>[1]) =>
    (await finishedItems(db, of)).map(({ item_id }) => item_id).filter((id) => [mine, theirs].includes(id));
  const now = Date.now();
  const all = await finishedItems(db, { orderId });
  expect(all).toEqual([{ item_id: mine, order_id: orderId }]);
  expect((await found({ now })).sort()).toEqual([mine, theirs].sort());
  // During backoff the sweep skips it, but its own order still finds it.
  await failedStatement(
    db,
    { job: FINISHING, subject: `${mine}` },
    { tries: 1, next_at: now + 1, error: '', now },
  ).run();
  expect(await found({ now })).toEqual([theirs]);
  expect(await found({ orderId })).toEqual([mine]);
  expect((await found({ now: now + 1 })).sort()).toEqual([mine, theirs].sort());
  await env.DB.prepare(`UPDATE items SET state = 'cancelled' WHERE order_id IN (?, ?)`).bind(orderId, other).run();
  expect(await found({ now: now + 1 })).toEqual([]);
});
