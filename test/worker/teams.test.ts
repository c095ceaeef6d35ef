import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { flawsOfDatabase } from '../../worker/models/service/state-check.ts';
import { caller, db, fireCron, makeKey, PASSWORD, type Person, scanOf, signedInUser } from './client.ts';

/** Teams: members and invites, the shared balance, its monthly limit and the orders that it pays. */

const KINGDOM = 1501;

/** A team of that owner with a balance and a limit, in dollars. */
async function teamOf(owner: Person, { balance = 20, limit = 5 } = {}): Promise<string> {
  const { data } = await owner.call('POST', '/v1/teams', { name: 'War council' });
  if (balance) await owner.call('POST', `/v1/teams/${data.team_id}/transfers`, { amount: balance });
  await owner.call('PATCH', `/v1/teams/${data.team_id}`, { monthly_limit: limit });
  return data.team_id;
}

const inviteTo = async (owner: Person, team: string, role = 'leader'): Promise<string> => {
  const { data } = await owner.call('POST', `/v1/teams/${team}/invites`, { role });
  return `/v1${data.path}`;
};

async function joined(owner: Person, team: string, role = 'leader'): Promise<Person> {
  const member = await signedInUser(0);
  const { status } = await member.call('POST', await inviteTo(owner, team, role));
  expect(status).toBe(200);
  return member;
}

const orderBy = (who: Person, team_id: string, governors = 100, key: string = crypto.randomUUID()) =>
  who.call('POST', '/v1/order/create', { orders: [scanOf([KINGDOM], governors)], team_id }, { 'idempotency-key': key });

const seen = async (who: Person, team: string) => (await who.call('GET', `/v1/teams/${team}`)).data;
const ownBalance = async (who: Person) => (await who.call('GET', '/v1/account/balance')).data.balance;
const linesOf = async (who: Person, team: string) => (await who.call('GET', `/v1/teams/${team}/statement`)).data.lines;

describe('members', () => {
  it('join by a link that lets one person in, once', async () => {
    const owner = await signedInUser();
    const team = await teamOf(owner);
    const link = await inviteTo(owner, team, 'viewer');
    const [first, second] = [await signedInUser(0), await signedInUser(0)];
    expect((await first.call('GET', link)).data).toMatchObject({ name: 'War council', role: 'viewer', joined: false });
    for (let times = 0; times < 2; times++)
      expect(await first.call('POST', link)).toMatchObject({ status: 200, data: { team_id: team } });
    expect((await second.call('POST', link)).status).toBe(404);
    expect((await second.call('GET', link)).status).toBe(404);
    const { members, invites, role } = await seen(first, team);
    expect(members.map((member: Record<string, unknown>) => [member.username, member.role, member.you])).toEqual([
      [owner.username, 'owner', false],
      [first.username, 'viewer', true],
    ]);
    expect([invites, role]).toEqual([[], 'viewer']);
  });

  it('do not see open invites, unlike the owner, whose API keys do not either', async () => {
    const owner = await signedInUser();
    const team = await teamOf(owner);
    const leader = await joined(owner, team);
    const open = await inviteTo(owner, team);
    expect((await seen(owner, team)).invites).toMatchObject([{ path: open.replace('/v1', ''), role: 'leader' }]);
    expect((await seen(leader, team)).invites).toEqual([]);
    const key = caller({ authorization: `Bearer ${(await makeKey(owner)).data.key}` });
    expect((await key.call('GET', `/v1/teams/${team}`)).data).toMatchObject({ role: 'owner', invites: [] });
  });

  it('do not join by a link that was revoked or has expired, and expired ones are deleted', async () => {
    const owner = await signedInUser();
    const team = await teamOf(owner);
    const [revoked, expired] = [await inviteTo(owner, team), await inviteTo(owner, team)];
    const id = revoked.split('/').at(-1);
    expect((await owner.call('DELETE', `/v1/teams/${team}/invites/${id}`)).status).toBe(200);
    expect((await owner.call('DELETE', `/v1/teams/${team}/invites/${id}`)).status).toBe(404);
    await env.DB.prepare('UPDATE team_invites SET expires_at = 1 WHERE id = ?').bind(expired.split('/').at(-1)).run();
    const guest = await signedInUser(0);
    for (const link of [revoked, expired]) expect((await guest.call('POST', link)).status).toBe(404);
    await fireCron('10 0 * * *');
    const kept = await env.DB.prepare('SELECT count(*) AS n FROM team_invites WHERE expires_at = 1').first('n');
    expect(kept).toBe(0);
  });

  it('leave, are removed by the owner alone, and see nothing afterwards', async () => {
    const owner = await signedInUser();
    const team = await teamOf(owner);
    const [one, other] = [await joined(owner, team), await joined(owner, team)];
    expect((await one.call('DELETE', `/v1/teams/${team}/members/${other.id}`)).status).toBe(403);
    expect((await one.call('DELETE', `/v1/teams/${team}/members/${one.id}`)).status).toBe(200);
    expect((await owner.call('DELETE', `/v1/teams/${team}/members/${other.id}`)).status).toBe(200);
    for (const gone of [one, other]) {
      for (const path of ['', '/statement'])
        expect((await gone.call('GET', `/v1/teams/${team}${path}`)).status).toBe(404);
      expect((await gone.call('GET', '/v1/teams')).data.teams).toEqual([]);
      expect((await orderBy(gone, team)).status).toBe(404);
    }
    expect(await owner.call('DELETE', `/v1/teams/${team}/members/${owner.id}`)).toMatchObject({
      status: 409,
      msg: 'You own this team: hand it over to another member, or close it.',
    });
  });

  it('take a team over, and the former owner stays as a leader', async () => {
    const owner = await signedInUser();
    const team = await teamOf(owner);
    const next = await joined(owner, team, 'viewer');
    const stranger = await signedInUser(0);
    const to = (who: Person) => `/v1/teams/${team}/members/${who.id}`;
    expect((await next.call('PATCH', to(next), { role: 'owner' })).status).toBe(403);
    expect((await owner.call('PATCH', to(stranger), { role: 'owner' })).status).toBe(404);
    expect((await owner.call('PATCH', to(next), { role: 'owner' })).status).toBe(200);
    expect((await seen(owner, team)).role).toBe('leader');
    expect((await seen(next, team)).role).toBe('owner');
    expect((await owner.call('PATCH', `/v1/teams/${team}`, { monthly_limit: 100 })).status).toBe(403);
  });
});

describe('the shared balance', () => {
  it('is filled by the owner from their own, once for each key', async () => {
    const owner = await signedInUser(3_000);
    const team = await teamOf(owner, { balance: 0 });
    const leader = await joined(owner, team);
    const give = (who: Person, amount: number, key = 'one') =>
      who.call('POST', `/v1/teams/${team}/transfers`, { amount }, { 'idempotency-key': key });
    expect((await give(owner, 10)).data).toEqual({ transferred: true });
    expect((await give(owner, 10)).data).toEqual({ transferred: false });
    expect((await give(owner, 11)).status).toBe(409);
    expect(await give(owner, 20.01, 'two')).toMatchObject({
      status: 402,
      msg: 'amount: your own balance does not cover this.',
    });
    expect((await give(leader, 1)).status).toBe(403);
    expect([await ownBalance(owner), (await seen(leader, team)).balance]).toEqual([20, 10]);
    const [line] = (await owner.call('GET', '/v1/account/statement')).data.lines;
    expect(line).toMatchObject({ kind: 'transfer', amount: -10, balance: 20, note: 'To the team War council' });
    // A repeat gets the first answer, even if the team has another owner by then.
    await owner.call('PATCH', `/v1/teams/${team}/members/${leader.id}`, { role: 'owner' });
    expect((await give(owner, 10)).data).toEqual({ transferred: false });
    expect((await give(owner, 11)).status).toBe(409);
    expect((await give(owner, 1, 'three')).status).toBe(403);
  });

  it('pays the orders of leaders within the limit of the month, and names who ordered', async () => {
    const owner = await signedInUser();
    const team = await teamOf(owner, { balance: 20, limit: 1 });
    const [leader, viewer] = [await joined(owner, team), await joined(owner, team, 'viewer')];
    const placed = await orderBy(leader, team);
    expect(placed).toMatchObject({ status: 200, data: { total: 0.5 } });
    expect(await seen(leader, team)).toMatchObject({ balance: 19.5, spent: 0.5, monthly_limit: 1, spendable: 0.5 });
    expect(await orderBy(leader, team, 300)).toMatchObject({
      status: 402,
      msg: 'team_id: leaders of War council can spend 1.00 USD a month, and 0.50 USD of it is left. Its owner can raise the limit.',
    });
    expect(await orderBy(viewer, team)).toMatchObject({
      status: 403,
      msg: 'team_id: only leaders of War council can order from its balance.',
    });
    expect((await orderBy(owner, team, 300)).status).toBe(200);
    expect(await seen(owner, team)).toMatchObject({ balance: 18, spent: 0.5, spendable: 18 });
    expect((await linesOf(viewer, team)).slice(0, 2)).toMatchObject([
      { kind: 'charge', amount: -1.5, balance: 18, by: owner.username },
      { kind: 'charge', amount: -0.5, balance: 19.5, by: leader.username, order_id: placed.data.order_id },
    ]);
    expect([await ownBalance(leader), await ownBalance(owner)]).toEqual([0, 80]);
    expect(await flawsOfDatabase(db, Date.now())).toEqual([]);
  });

  it('has nothing left for leaders if the limit falls below what they have spent', async () => {
    const owner = await signedInUser();
    const team = await teamOf(owner, { balance: 20, limit: 1 });
    const leader = await joined(owner, team);
    expect((await orderBy(leader, team)).status).toBe(200);
    await owner.call('PATCH', `/v1/teams/${team}`, { monthly_limit: 0.25 });
    expect(await seen(leader, team)).toMatchObject({ spent: 0.5, monthly_limit: 0.25, spendable: 0 });
    expect((await seen(owner, team)).spendable).toBe(19.5);
  });

  it('pays once for two clicks, and of two orders at once only what the limit allows', async () => {
    const owner = await signedInUser();
    const team = await teamOf(owner, { balance: 20, limit: 0.5 });
    const leader = await joined(owner, team);
    const twice = await Promise.all([orderBy(leader, team, 100, 'same'), orderBy(leader, team, 100, 'same')]);
    expect(new Set(twice.map(({ data }) => data.order_id)).size).toBe(1);
    await owner.call('PATCH', `/v1/teams/${team}`, { monthly_limit: 1 });
    const both = await Promise.all([orderBy(leader, team), orderBy(leader, team)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 402]);
    expect((await seen(owner, team)).balance).toBe(19);
  });

  it('counts the limit by calendar month', async () => {
    const owner = await signedInUser();
    const team = await teamOf(owner, { balance: 20, limit: 0.5 });
    const leader = await joined(owner, team);
    const lastMonth = new Date();
    lastMonth.setUTCDate(0);
    await env.DB.prepare(
      `INSERT INTO ledger_entries (user_id, team_id, amount_cents, kind, reference, created_at) VALUES (?, ?, -50, 'charge', 'order:past', ?)`,
    )
      .bind(leader.id, team, lastMonth.getTime())
      .run();
    expect((await seen(leader, team)).spent).toBe(0);
    expect((await orderBy(leader, team)).status).toBe(200);
    expect((await orderBy(leader, team)).status).toBe(402);
  });

  it('that does not cover an order refuses it, whatever the limit', async () => {
    const owner = await signedInUser();
    const team = await teamOf(owner, { balance: 0.4, limit: 100 });
    const leader = await joined(owner, team);
    expect(await orderBy(leader, team)).toMatchObject({
      status: 402,
      msg: 'The balance of War council, 0.40 USD, does not cover the price of 0.50 USD.',
    });
  });

  it('gets back what an order of its own returns, and the limit with it', async () => {
    const owner = await signedInUser();
    const team = await teamOf(owner, { balance: 2, limit: 1 });
    const leader = await joined(owner, team);
    const { data } = await orderBy(leader, team, 200);
    expect((await owner.call('POST', `/v1/order/${data.order_id}/cancel`)).status).toBe(404);
    expect((await leader.call('POST', `/v1/order/${data.order_id}/cancel`)).data.returned).toBe(1);
    expect(await seen(leader, team)).toMatchObject({ balance: 2, spent: 0, spendable: 1 });
    expect(await ownBalance(leader)).toBe(0);
    expect(await flawsOfDatabase(db, Date.now())).toEqual([]);
  });

  it('is read by members with its orders, and by nobody else', async () => {
    const owner = await signedInUser();
    const team = await teamOf(owner);
    const [leader, viewer] = [await joined(owner, team), await joined(owner, team, 'viewer')];
    const stranger = await signedInUser(0);
    const { data } = await orderBy(leader, team);
    const own = await viewer.call('POST', '/v1/order/create', { orders: [scanOf([KINGDOM])] });
    expect(own.status).toBe(402);
    expect((await viewer.call('GET', `/v1/order/${data.order_id}`)).data).toMatchObject({ team_id: team, total: 0.5 });
    expect((await stranger.call('GET', `/v1/order/${data.order_id}`)).status).toBe(404);
    expect((await viewer.call('POST', `/v1/order/${data.order_id}/cancel`)).status).toBe(404);
    const script = caller({ authorization: `Bearer ${(await makeKey(viewer, ['read'])).data.key}` });
    expect((await script.call('GET', `/v1/teams/${team}/statement`)).status).toBe(200);
    expect((await script.call('DELETE', `/v1/teams/${team}/members/${viewer.id}`)).status).toBe(403);
    await owner.call('DELETE', `/v1/teams/${team}/members/${viewer.id}`);
    expect((await viewer.call('GET', `/v1/order/${data.order_id}`)).status).toBe(404);
  });

  it('pays no schedule', async () => {
    const owner = await signedInUser();
    const team_id = await teamOf(owner);
    const scheduleInfo = { start: new Date(Date.now() + 1e7).toISOString(), end: null, type: 'daily', interval: 1 };
    const { status, msg } = await owner.call('POST', '/v1/order/create', {
      orders: [scanOf([KINGDOM])],
      scheduleInfo,
      team_id,
    });
    expect([status, msg]).toEqual([400, expect.stringContaining('team_id: schedules are paid from your own balance')]);
  });
});

describe('the end of a team', () => {
  it('returns the rest to its owner, once, and later refunds too', async () => {
    const owner = await signedInUser();
    const team = await teamOf(owner, { balance: 20, limit: 5 });
    const leader = await joined(owner, team);
    const link = await inviteTo(owner, team);
    const { data } = await orderBy(leader, team);
    expect((await leader.call('DELETE', `/v1/teams/${team}`)).status).toBe(403);
    expect((await owner.call('DELETE', `/v1/teams/${team}`)).data).toEqual({ returned: 19.5 });
    expect((await owner.call('DELETE', `/v1/teams/${team}`)).status).toBe(404);
    expect((await leader.call('GET', `/v1/teams/${team}`)).status).toBe(404);
    expect((await leader.call('POST', link)).status).toBe(404);
    expect(await ownBalance(owner)).toBe(99.5);
    expect((await leader.call('POST', `/v1/order/${data.order_id}/cancel`)).data.returned).toBe(0.5);
    expect([await ownBalance(owner), await ownBalance(leader)]).toEqual([100, 0]);
    expect(await flawsOfDatabase(db, Date.now())).toEqual([]);
  });

  it('comes before that of its owner’s account', async () => {
    const owner = await signedInUser(0);
    const team = await teamOf(owner, { balance: 0 });
    const leader = await joined(owner, team);
    const leaving = (who: Person) =>
      who.call('POST', '/v1/account/delete', { current_password: PASSWORD, username: who.username });
    expect(await leaving(owner)).toMatchObject({ status: 409, msg: expect.stringContaining('You own a team') });
    expect((await owner.call('GET', '/v1/teams')).data.teams).toHaveLength(1);
    expect((await leaving(leader)).status).toBe(200);
    expect((await seen(owner, team)).members).toHaveLength(1);
    await owner.call('DELETE', `/v1/teams/${team}`);
    expect((await leaving(owner)).status).toBe(200);
  });
});

it('money taken back from the owner blocks transfers, orders of the team and handing it over', async () => {
  const owner = await signedInUser(3_000);
  const team = await teamOf(owner, { balance: 20, limit: 5 });
  const leader = await joined(owner, team);
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO payments (id, user_id, amount_cents, request_key, created_at) VALUES ('p-team', ?, 3000, 'k', 1)`,
    ).bind(owner.id),
    env.DB.prepare(
      `INSERT INTO reversals (id, payment_id, user_id, kind, amount_cents, stage, created_at) VALUES ('r-team', 'p-team', ?, 'dispute', 3000, 1, 1)`,
    ).bind(owner.id),
  ]);
  expect(await orderBy(leader, team)).toMatchObject({ status: 402, msg: expect.stringContaining('are blocked') });
  expect((await owner.call('POST', `/v1/teams/${team}/transfers`, { amount: 1 })).status).toBe(402);
  expect((await owner.call('PATCH', `/v1/teams/${team}/members/${leader.id}`, { role: 'owner' })).status).toBe(409);
});
