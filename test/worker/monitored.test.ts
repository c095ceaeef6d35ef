import { describe, expect, it } from 'vitest';
import { isMonitored } from '../../worker/models/kingdoms/monitored.ts';
import { eventually } from '../support/eventually.ts';
import { bot, caller, db, scanOf, signedInAdmin, signedInUser, work } from './client.ts';
import { cell, mailsTo } from './people.ts';
import { daysOfKingdom, governor, publishRows } from './scans.ts';

const DAY_MS = 86_400_000;

type User = Awaited<ReturnType<typeof signedInUser>>;

const place = async (user: User, kingdom: number, scheduleInfo: unknown = null) => {
  const body = { orders: [scanOf([kingdom])], scheduleInfo };
  const { status, msg, data } = await user.call('POST', '/v1/order/create', body);
  if (status !== 200) throw new Error(msg);
  return data.order_id as number;
};

const monitored = async (user: User) => {
  const { status, data } = await user.call('GET', '/v1/monitored/kingdoms/');
  expect(status).toBe(200);
  return data.kingdoms;
};

/** Governors as a bot hands them in (columnsFor), from one rank to another. */
const ranks = (kingdom: number, from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) =>
    governor(kingdom * 100_000 + from + index, 90_000_000 - (from + index) * 1000),
  );

describe('monitored kingdoms', () => {
  it('are none without orders, and need a session', async () => {
    expect(await monitored(await signedInUser())).toEqual([]);
    const refused = await caller().call('GET', '/v1/monitored/kingdoms/');
    expect(refused).toMatchObject({ status: 401, success: 0 });
  });

  it('cover one kingdom and game, for thirty days from an order with a scan', async () => {
    const [user, other] = [await signedInUser(), await signedInUser()];
    await place(user, 1591);
    expect(await isMonitored(db, user.id, 'rok', 1591)).toBe(false);
    await work(await bot(), 5);
    await eventually(async () => expect(await isMonitored(db, user.id, 'rok', 1591)).toBe(true));
    const placed = await cell<number>('SELECT placed_at FROM orders WHERE user_id = ?', user.id);
    expect([
      await isMonitored(db, user.id, 'rok', 1592),
      await isMonitored(db, user.id, 'cod', 1591),
      await isMonitored(db, other.id, 'rok', 1591),
      await isMonitored(db, user.id, 'rok', 1591, placed + 30 * DAY_MS),
      await isMonitored(db, user.id, 'rok', 1591, placed + 30 * DAY_MS + 1),
    ]).toEqual([false, false, false, true, false]);
  });

  it('show the last scan against a week before, and who joined and left', async () => {
    const [home, away, before] = [1501, 1502, Date.now() - 7 * DAY_MS];
    // A week ago: ranks 4 to 100, two who have left since, and one who moved.
    const [gone, moved] = [[governor(1, 80_000_000), governor(2, 80_000_000)], governor(3, 80_000_000)];
    await publishRows('rok', home, before, [...ranks(home, 4, 100), ...gone, moved]);
    // The moved governor's companions are back in the last scan, and neither joined nor left.
    await publishRows('rok', away, Date.now() - DAY_MS, [moved, ...ranks(home, 50, 50)]);
    const user = await signedInUser();
    await place(user, home);
    expect(await monitored(user)).toEqual([]);
    await work(await bot());

    const kingdoms = await eventually(async () => {
      const all = await monitored(user);
      expect(all).toHaveLength(1);
      return all;
    });
    const score = await cell<number>(
      `SELECT totals ->> 'score' ->> 'total' FROM kingdom_days WHERE kingdom_id = ? ORDER BY day DESC LIMIT 1`,
      home,
    );
    const days = Map.groupBy(await daysOfKingdom('rok', home), ({ governor_id }) => governor_id);
    const scoreOfBoth = [...days.values()].reduce((sum, own) => {
      const [then, now] = own.filter(({ kingdom_id }) => kingdom_id === home);
      return then && now ? sum + (now.score ?? 0) - (then.score ?? 0) : sum;
    }, 0);
    const [power, powerBefore] = [
      100 * 100_000_000 - 1000 * 5050,
      97 * 90_000_000 - 1000 * (5050 - 6) + 3 * 80_000_000,
    ];
    const { items } = (await user.call('GET', '/v1/orders/')).data.orders[0];
    expect(kingdoms[0]).toMatchObject({
      game: 'rok',
      kingdom_id: home,
      next_run: null,
      item_id: items[0].item_id,
      power,
      score,
      before,
      // Governors who joined or left are no gain or loss.
      compared: 97,
      power_change: 97 * 10_000_000,
      score_change: scoreOfBoth,
      joined: 3,
      left: 3,
    });
    expect(kingdoms[0].last_scan).toBeGreaterThan(Date.now() - 60_000);
    expect(kingdoms[0].line.map(({ power }: { power: number }) => power)).toEqual([powerBefore, power]);
    expect(await monitored(await signedInUser())).toEqual([]);
  });

  it('include those of an active schedule, with their next run and no figures yet', async () => {
    const user = await signedInUser();
    const start = Math.floor(Date.now() / 60_000) * 60_000 + DAY_MS;
    await place(user, 1503, { start: new Date(start).toISOString(), interval: 1, period: 'week' });
    expect(await monitored(user)).toEqual([
      {
        game: 'rok',
        kingdom_id: 1503,
        next_run: start,
        last_scan: null,
        item_id: null,
        power: null,
        score: null,
        scanned_at: null,
        player_count: null,
        before: null,
        compared: null,
        power_change: null,
        score_change: null,
        joined: null,
        left: null,
        line: [],
      },
    ]);
    const [schedule] = (await user.call('GET', '/v1/orders/scheduled')).data.scheduled;
    await user.call('POST', `/v1/orders/scheduled/${schedule.schedule_id}/end`);
    expect(await monitored(user)).toEqual([]);
  });
});

describe('scans of different depth', () => {
  const twoScans = async (kingdom: number, then: number, now: number) => {
    await publishRows('rok', kingdom, Date.now() - 7 * DAY_MS, ranks(kingdom, 1, then));
    const user = await signedInUser();
    await place(user, kingdom);
    const moment = Date.now() - 1;
    // The user's own scan has one governor; the kingdom's figures come from the day's deepest scan.
    await eventually(async () => {
      // Two bots have to agree on so few governors.
      await work(await bot(), 1);
      expect(await monitored(user)).toHaveLength(1);
    });
    await publishRows('rok', kingdom, moment, ranks(kingdom, 1, now));
    return (await monitored(user))[0];
  };
  const sum = (count: number) => count * 90_000_000 - (1000 * count * (count + 1)) / 2;

  it('are compared by the governors in both', async () => {
    // The same governors with the same power, except the one that the bot read last.
    const kingdom = await twoScans(1511, 120, 320);
    expect(kingdom).toMatchObject({ power: sum(320), compared: 120, power_change: 10_000_000, joined: 0, left: 0 });
    expect(kingdom.line.map(({ power }: { power: number }) => power)).toEqual([sum(100), sum(100)]);
  });

  it('have no chart if one has fewer than a hundred governors', async () => {
    const kingdom = await twoScans(1512, 90, 60);
    expect(kingdom.before).toBeLessThan(Date.now() - 6 * DAY_MS);
    expect(kingdom).toMatchObject({ power: sum(60), compared: 60, joined: 0, left: 0, line: [] });
  });

  it('keep the figures of the deep one and the time of the last one', async () => {
    const kingdom = await twoScans(1513, 320, 120);
    expect(kingdom).toMatchObject({ power: sum(320), player_count: 320, before: null, power_change: null });
    expect(kingdom.scanned_at).toBeLessThan(Date.now() - 6 * DAY_MS);
    expect(kingdom.last_scan).toBeGreaterThan(Date.now() - 60_000);
  });
});

describe('news', () => {
  it('is published and deleted by admins, and users see the newest ten', async () => {
    const [admin, user] = [await signedInAdmin(), await signedInUser()];
    const titles = Array.from({ length: 11 }, (_, index) => `News ${index}`);
    const ids: number[] = [];
    for (const title of titles)
      ids.push((await admin.call('POST', '/v1/admin/news', { title, body: 'Two\nlines' })).data.id);
    const shown = async () =>
      (await user.call('GET', '/v1/news')).data.news.map(({ title }: { title: string }) => title);
    expect(await shown()).toEqual(titles.slice(1).reverse());
    expect((await user.call('GET', '/v1/news')).data.news[0]).toMatchObject({ id: ids[10], body: 'Two\nlines' });

    expect((await admin.call('DELETE', `/v1/admin/news/${ids[10]}`)).status).toBe(200);
    expect((await admin.call('DELETE', `/v1/admin/news/${ids[10]}`)).status).toBe(404);
    expect(await shown()).toEqual(titles.slice(0, 10).reverse());
    expect(
      await cell('SELECT count(*) FROM audit_entries WHERE user_id = ? AND action LIKE ?', admin.id, 'news.%'),
    ).toBe(12);
  });

  it('is published later, and edited by version', async () => {
    const [admin, user] = [await signedInAdmin(), await signedInUser()];
    const title = `Later ${user.username}`;
    const published_at = Date.now() + 3_600_000;
    const post = (body: object) => admin.call('POST', '/v1/admin/news', { title, body: 'Soon.', ...body });
    expect((await post({ published_at: Date.now() - 1 })).msg).toBe('published_at: is in the past.');
    const { id } = (await post({ published_at })).data;
    const desk = async () =>
      (await admin.call('GET', '/v1/admin/news')).data.news.find((each: { id: number }) => each.id === id);
    const shown = async () =>
      (await user.call('GET', '/v1/news')).data.news.find((each: { id: number }) => each.id === id);
    expect(await desk()).toEqual({ id, title, body: 'Soon.', published_at, version: 1 });
    expect(await shown()).toBeUndefined();

    const edit = (body: object) => admin.call('PUT', `/v1/admin/news/${id}`, { title, body: 'Now.', ...body });
    expect((await edit({ version: 1 })).status).toBe(200);
    const now = await shown();
    expect(now).toEqual({ id, title, body: 'Now.', published_at: expect.any(Number) });
    expect(now.published_at).toBeLessThan(published_at);
    expect(await edit({ version: 1, body: 'Mine.' })).toMatchObject({
      status: 409,
      msg: 'Somebody changed this meanwhile. What is stored now, and yours in brackets: body: Now. (Mine.)',
    });
    expect((await edit({ version: 2, body: 'Mine.' })).status).toBe(200);
    expect(await shown()).toEqual({ ...now, body: 'Mine.' });
    const entry = await cell<string>(
      `SELECT detail FROM audit_entries WHERE action = 'news.edited' AND user_id = ? ORDER BY id LIMIT 1`,
      admin.id,
    );
    expect(JSON.parse(entry)).toMatchObject({ before: { body: 'Soon.' }, after: { body: 'Now.' } });
    expect((await admin.call('PUT', '/v1/admin/news/999999', { title, body: 'x', version: 1 })).status).toBe(404);
    expect((await user.call('GET', '/v1/admin/news')).status).toBe(404);
  });

  it('needs a title, a text and an admin', async () => {
    const [admin, user] = [await signedInAdmin(), await signedInUser()];
    const publish = (title: string, body: string) => admin.call('POST', '/v1/admin/news', { title, body });
    expect(await publish(' ', 'x')).toMatchObject({ status: 400, msg: 'title: must not be empty.' });
    expect(await publish('x', 'x'.repeat(5001))).toMatchObject({
      status: 400,
      msg: 'body: must have at most 5,000 characters.',
    });
    expect((await user.call('POST', '/v1/admin/news', { title: 'x', body: 'x' })).status).toBe(404);
    expect((await caller().call('GET', '/v1/news')).status).toBe(401);
  });
});

describe('reported issues', () => {
  it('are listed for admins and answered by mail, once', async () => {
    const [admin, user] = [await signedInAdmin(), await signedInUser()];
    const orderId = await place(user, 1504);
    const message = 'The first ten rows hold the wrong kingdom.';
    await user.call('POST', `/v1/order/${orderId}/report`, { message, rows: ['17'] });
    const open = async () => (await admin.call('GET', '/v1/admin/reports?open=true')).data.reports;
    const [report] = await open();
    expect(report).toMatchObject({ order_id: orderId, username: user.username, message, rows: '17', answer: null });

    const path = `/v1/admin/reports/${report.report_id}/answer`;
    expect((await admin.call('POST', path, { text: '' })).status).toBe(400);
    expect((await user.call('POST', path, { text: 'Scanned again.' })).status).toBe(404);
    expect((await admin.call('POST', path, { text: 'Scanned again.' })).status).toBe(200);
    expect((await admin.call('POST', path, { text: 'Scanned twice.' })).status).toBe(404);
    expect(await open()).toEqual([]);
    const [kept] = (await admin.call('GET', '/v1/admin/reports')).data.reports;
    expect(kept).toMatchObject({ report_id: report.report_id, answer: 'Scanned again.' });
    const mails = await mailsTo(`${user.username}@example.com`);
    const answers = mails.filter(({ subject }) => subject === `Your report about order #${orderId}`);
    expect(answers).toHaveLength(1);
    expect(answers[0]?.text).toContain('Scanned again.');
    expect(await cell('SELECT count(*) FROM audit_entries WHERE action = ?', 'report.answered')).toBe(1);
  });
});
