import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { inSlot, slotFor, untilSent } from '../../worker/services/compare/slot.ts';
import { type Person, signedInUser } from './client.ts';
import { fileOf, keep } from './own-scans.ts';

/** Sets the row count of a user's scans, whatever their files hold: the count alone decides on a refusal. */
const sized = (user: Person, rows: number) =>
  env.DB.prepare(`UPDATE scans SET rows = ? WHERE user_id = ?`).bind(rows, user.id).run();

async function scansOf(user: Person, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let day = 1; day <= count; day++) {
    const [id] = await keep(user, `2026-01-${String(day).padStart(2, '0')}.csv`, fileOf([{ id: 1, t5: day }]));
    ids.push(id as string);
  }
  return ids;
}

test('a comparison of fights has at most 240,000 rows, counting shared scans for each fight', async () => {
  const user = await signedInUser(0);
  const ids = await scansOf(user, 4);
  const fights: string[] = [];
  for (const [from, to] of [
    [ids[0], ids[1]],
    [ids[1], ids[2]],
    [ids[2], ids[3]],
  ]) {
    const { data } = await user.call('POST', '/v1/fights', { name: 'a fight', from: [from], to: [to] });
    fights.push(data.fight_id);
  }
  const ask = (path: string) => user.call('GET', `/v1/${path}fights=${fights.join(',')}`);
  await sized(user, 40_000);
  expect((await ask('compare/table?')).status).toBe(200);
  await sized(user, 40_001);
  for (const path of ['compare?', 'compare/table?', 'compare/export?type=csv&'])
    expect(await ask(path)).toMatchObject({
      status: 413,
      msg: 'The fights of a comparison may have 240,000 rows together at most; these have 240,006.',
    });
  await sized(user, 120_000);
  expect((await user.call('GET', `/v1/compare?from=${ids[0]}&to=${ids[1]}`)).status).toBe(200);
  await sized(user, 120_001);
  expect(await user.call('GET', `/v1/compare?from=${ids[0]}&to=${ids[1]}`)).toMatchObject({
    status: 413,
    msg: 'A side of a comparison may have 120,000 rows at most.',
  });
});

test('a large comparison releases its slot once it is sent or cancelled', async () => {
  const user = await signedInUser(0);
  const [from, to] = await scansOf(user, 2);
  await sized(user, 60_000);
  // A slot that is not released would delay the next comparison for ten seconds.
  const isFree = async () => {
    const slot = await Promise.race([slotFor(50_001), scheduler.wait(5000)]);
    slot?.release();
    return slot !== undefined;
  };
  for (const path of ['compare?', 'compare/table?', 'compare/export?type=csv&', 'compare/export?type=png&']) {
    const answer = await user.fetch(`/v1/${path}from=${from}&to=${to}`);
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    expect([path, await isFree()]).toEqual([path, true]);
  }
  const left = await user.fetch(`/v1/compare?from=${from}&to=${to}`);
  await left.body?.cancel();
  expect(await isFree()).toBe(true);
});

test('only one large comparison runs at a time, while small ones pass', async () => {
  const first = await slotFor(50_001);
  let entered = false;
  const second = slotFor(50_001).then((slot) => {
    entered = true;
    return slot;
  });
  (await slotFor(20_000)).release();
  await scheduler.wait(60);
  expect(entered).toBe(false);
  const answer = untilSent(new Response(new Blob(['a table']).stream()), first);
  await scheduler.wait(60);
  expect(entered).toBe(false);
  expect(await answer.text()).toBe('a table');
  (await second).release();
  expect(entered).toBe(true);
});

test('a governor’s line reads at most 300,000 rows per answer, newest first, with a cursor', async () => {
  const user = await signedInUser(0);
  await scansOf(user, 3);
  const line = async (more = '') => (await user.call('GET', `/v1/compare/line?game=rok&governor=1${more}`)).data;
  await sized(user, 100_000);
  expect(await line()).toMatchObject({ points: [{}, {}, {}], left_out: 0, next: null });
  await sized(user, 100_001);
  const { points, left_out, next } = await line();
  expect([points.length, left_out]).toEqual([2, 1]);
  const older = await line(`&before=${next}`);
  expect(older).toMatchObject({ left_out: 0, next: null });
  expect(older.points).toHaveLength(1);
  expect(older.points[0].captured_at).toBeLessThan(points[0].captured_at);
  // A single scan that is larger is still read.
  await sized(user, 300_001);
  expect((await line()).points).toHaveLength(1);
});

test('a governor’s line has 60 scans per answer, without sums over days', async () => {
  const user = await signedInUser(0);
  await scansOf(user, 1);
  // Copies of the one file, a day apart; with `range_from`, they are sums over days.
  const copied = (count: number, range_from: number | null) =>
    env.DB.prepare(
      `INSERT INTO scans SELECT id || '-' || ?1 || '-' || value, user_id, game, kingdom_id, captured_at + ?1 + value * 86400000, ?2,
         stage, key, source, dialect, rows, bytes, quality, content_hash || ?1 || value, created_at, expires_at
       FROM scans, (WITH RECURSIVE numbers(value) AS (SELECT 1 UNION SELECT value + 1 FROM numbers WHERE value < ?3)
         SELECT value FROM numbers)
       WHERE user_id = ?4 AND length(id) = 40`,
    ).bind(range_from ?? 0, range_from, count, user.id);
  const line = async (more = '') => (await user.call('GET', `/v1/compare/line?game=rok&governor=1${more}`)).data;
  const daysOf = ({ points }: { points: { captured_at: number }[] }) =>
    points.map(({ captured_at }) => (captured_at - Date.parse('2026-01-01')) / 86_400_000);
  const days = async () => daysOf(await line());
  const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, day) => first + day);
  await copied(54, null).run();
  expect(await days()).toEqual(from(0, 54));
  expect(daysOf(await line('&origin=imported'))).toEqual(from(0, 54));
  expect(await line('&origin=bought')).toMatchObject({ points: [], left_out: 0 });
  await copied(1, 5).run();
  expect(await days()).toEqual(from(0, 54));
  await env.DB.prepare('DELETE FROM scans WHERE user_id = ? AND length(id) > 40').bind(user.id).run();
  await copied(60, null).run();
  expect(await days()).toEqual(from(1, 60));
  const { left_out, next } = await line();
  expect(left_out).toBe(1);
  expect(daysOf(await line(`&before=${next}`))).toEqual([0]);
});

test('a comparison that fails releases its slot and reports the error', async () => {
  const slot = await slotFor(50_001);
  const failing = inSlot(slot, async () => {
    throw new Error('not to be had');
  });
  await expect(failing).rejects.toThrow('not to be had');
  (await slotFor(50_001)).release();
  expect(await inSlot(await slotFor(1), async () => 'made')).toBe('made');
});
