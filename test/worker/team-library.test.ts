import { describe, expect, it } from 'vitest';
import { shortPath } from '../../worker/http/short-links.ts';
import { db, type Person, scanOf, signedInUser } from './client.ts';

/** What members share with their team: links to results and reports. */

const DAY = 86_400_000;

async function team(): Promise<{ owner: Person; member: Person; id: string }> {
  const [owner, member] = [await signedInUser(), await signedInUser()];
  const { data } = await owner.call('POST', '/v1/teams', { name: 'War council' });
  const invite = await owner.call('POST', `/v1/teams/${data.team_id}/invites`, { role: 'viewer' });
  await member.call('POST', `/v1${invite.data.path}`);
  return { owner, member, id: data.team_id };
}

/** A link to an item that the person ordered. */
async function resultsLink({ id, call }: Person, expires_at = Date.now() + DAY): Promise<string> {
  const { data } = await call('POST', '/v1/order/create', { orders: [scanOf([1501], 100)] });
  const item = await db.$client
    .prepare('SELECT id FROM items WHERE order_id = ?')
    .bind(data.order_id)
    .first<string>('id');
  const link = crypto.randomUUID();
  await db.$client
    .prepare('INSERT INTO share_links (id, item_id, user_id, created_at, expires_at) VALUES (?, ?, ?, 1, ?)')
    .bind(link, item, id, expires_at)
    .run();
  return link;
}

async function reportLink({ id }: Person, name: string): Promise<string> {
  const [report, link] = [crypto.randomUUID(), crypto.randomUUID()];
  await db.$client.batch([
    db.$client
      .prepare(
        `INSERT INTO reports (id, user_id, name, game, ranges, settings, created_at, updated_at)
         VALUES (?, ?, ?, 'rok', '[]', '{}', 1, 1)`,
      )
      .bind(report, id, name),
    db.$client
      .prepare('INSERT INTO report_links (id, report_id, user_id, created_at, expires_at) VALUES (?, ?, ?, 2, ?)')
      .bind(link, report, id, Date.now() + DAY),
  ]);
  return link;
}

const library = async (who: Person, id: string) => (await who.call('GET', `/v1/teams/${id}/library`)).data.links;
const add = (who: Person, id: string, link: string) =>
  who.call('POST', `/v1/teams/${id}/library`, { link: `https://muster.test${shortPath(link)}` });
const drop = (who: Person, id: string, link: string) => who.call('DELETE', `/v1/teams/${id}/library/${link}`);

describe('a team’s library', () => {
  it('lists links that members added, for members alone', async () => {
    const { owner, member, id } = await team();
    const [results, report] = [await resultsLink(member), await reportLink(owner, 'Pass 4 <b>')];
    for (let times = 0; times < 2; times++) expect((await add(member, id, results)).status).toBe(200);
    expect((await add(owner, id, report)).status).toBe(200);
    const seen = await library(owner, id);
    expect(seen).toMatchObject([
      { link_id: report, kind: 'report', title: 'Pass 4 <b>', by: owner.username, yours: true },
      { link_id: results, kind: 'results', title: 'Kingdom 1501', by: member.username, yours: false },
    ]);
    expect(seen[0].path).toMatch(/^\/reports\/shared\//);
    expect(seen[1].path).toMatch(/^\/shared\//);
    const stranger = await signedInUser();
    expect((await stranger.call('GET', `/v1/teams/${id}/library`)).status).toBe(404);
    expect((await add(stranger, id, await resultsLink(stranger))).status).toBe(404);
    expect((await drop(stranger, id, results)).status).toBe(404);
    expect(await library(owner, id)).toHaveLength(2);
  });

  it('takes only links of the caller that work', async () => {
    const { owner, member, id } = await team();
    const ended = await resultsLink(member, 2);
    for (const link of [await resultsLink(owner), ended, crypto.randomUUID()])
      expect(await add(member, id, link)).toMatchObject({ status: 400, msg: expect.stringMatching(/^link: must be/) });
    for (const link of ['', 'https://muster.test/s/x', 'x'.repeat(301), 7])
      expect((await member.call('POST', `/v1/teams/${id}/library`, { link })).status).toBe(400);
    expect(await library(member, id)).toEqual([]);
  });

  it('loses what is taken out, revoked, or of somebody who left', async () => {
    const { owner, member, id } = await team();
    const [first, second, third] = [
      await reportLink(member, 'A'),
      await reportLink(member, 'B'),
      await reportLink(owner, 'C'),
    ];
    for (const link of [first, second]) await add(member, id, link);
    await add(owner, id, third);
    expect((await drop(member, id, third)).status).toBe(404);
    expect((await drop(owner, id, first)).status).toBe(200);
    expect((await library(owner, id)).map(({ title }: { title: string }) => title).sort()).toEqual(['B', 'C']);
    await db.$client.prepare('UPDATE report_links SET revoked_at = 3 WHERE id = ?').bind(third).run();
    expect((await library(owner, id)).map(({ title }: { title: string }) => title)).toEqual(['B']);
    await member.call('DELETE', `/v1/teams/${id}/members/${member.id}`);
    expect(await library(owner, id)).toEqual([]);
    expect((await member.call('GET', `/v1/teams/${id}/library`)).status).toBe(404);
  });
});
