import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { MAX_FOLLOWED } from '../../../domain/events/following.ts';
import { tellFollowers } from '../../../worker/services/events/tell-followers.ts';
import { sendOutbox } from '../../../worker/services/messages/send-outbox.ts';
import { caller, db, fireCron, type Person, signedInUser } from '../client.ts';
import { fighter, HOUR, load, madeEvent, START } from './war.ts';

const fighters = (t5: number) =>
  [701, 702, 703, 704].map((kingdom, place) => fighter(place + 1, kingdom, t5 * (place + 1)));

/** An event with a snapshot for each number of kills, an hour apart. */
async function eventWith(kills: readonly number[], more: Record<string, unknown> = {}) {
  const { admin, id } = await madeEvent(more);
  const scan = async (place: number, t5: number) =>
    expect((await load(admin, id, START + place * HOUR, fighters(t5))).status).toBe(200);
  for (const [place, t5] of kills.entries()) await scan(place, t5);
  return { admin, id, scan };
}

const choose = (user: Person, dashboard_id: number, kingdom: string | null = null, on = true) =>
  user.call('PUT', '/v1/account/following/event', { dashboard_id, kingdom, on });
const messagesOf = async (...recipients: string[]) =>
  (
    await env.DB.prepare(
      `SELECT channel, subject, text, reference FROM outbox
       WHERE recipient IN (SELECT value FROM json_each(?)) AND reference GLOB 'changes:*' ORDER BY id`,
    )
      .bind(JSON.stringify(recipients))
      .all<{ channel: string; subject: string; text: string; reference: string }>()
  ).results;
const minute = () => tellFollowers(env, db, Date.now(), () => true);

it('notifies a follower once per scan, until they stop following', async () => {
  const user = await signedInUser();
  const { id, scan } = await eventWith([100, 200]);
  expect((await choose(user, id)).data.events).toEqual([
    { dashboard_id: id, game: 'rok', name: 'Trial of Kau', state: 'running', kingdom: null },
  ]);
  await choose(user, id);
  await choose(user, id, '703');
  await minute();
  expect(await messagesOf(user.email)).toEqual([]);

  await scan(2, 900);
  await Promise.all([minute(), minute()]);
  await minute();
  const told = await messagesOf(user.email);
  expect(told.map(({ subject }) => subject).sort()).toEqual([
    'Kingdom 703 · Trial of Kau: what changed',
    'Trial of Kau: what changed',
  ]);
  const whole = told.find(({ subject }) => subject.startsWith('Trial'))?.text ?? '';
  expect(whole).toContain(`/dashboards/${id}?end=${START + 2 * HOUR}`);
  expect(whole).toContain('/account/notifications');
  // The sentences of the feed's newest item.
  const feed = await (await caller().fetch(`/v1/dashboards/${id}/feed.json`)).json<{
    items: { content_text: string }[];
  }>();
  for (const sentence of feed.items[0]?.content_text.split('\n').slice(0, 15) ?? ['none'])
    expect(whole).toContain(sentence);

  await choose(user, id, null, false);
  await choose(user, id, '703', false);
  await scan(3, 1500);
  await minute();
  expect(await messagesOf(user.email)).toHaveLength(2);
  expect((await user.call('GET', '/v1/account/following')).data.events).toEqual([]);
});

it('notifies each follower in their language', async () => {
  const [german, english] = [await signedInUser(), await signedInUser()];
  await german.call('PUT', '/v1/account/language', { language: 'de' });
  const { id, scan } = await eventWith([100, 200]);
  for (const user of [german, english]) await choose(user, id, '703');
  await scan(2, 900);
  await minute();
  const sentences = async (user: Person) => ((await messagesOf(user.email))[0]?.text ?? '').split('\n\n')[1];
  expect(await sentences(english)).toMatch(/^Kingdom 703 gained \S+ DKP\.$/m);
  expect(await sentences(german)).toMatch(/^Königreich 703 hat \S+ DKP gewonnen\.$/m);
  expect(await sentences(german)).not.toMatch(/ gained | began /);
  expect((await messagesOf(german.email))[0]?.text).toContain(`/de/dashboards/${id}/kingdoms/703?end=`);
});

it('notifies by the chosen ways, with one message for scans that came together', async () => {
  const [byMail, byHook, silent] = [await signedInUser(), await signedInUser(), await signedInUser()];
  const hook = `https://discord.com/api/webhooks/900000009001/works-${crypto.randomUUID()}`;
  await byHook.call('POST', '/v1/account/notifications', { events_by_mail: false, discord_url: hook });
  await silent.call('POST', '/v1/account/notifications', {
    events_by_mail: false,
    discord_url: hook,
    events_by_webhook: false,
  });
  const { id, scan } = await eventWith([100]);
  for (const user of [byMail, byHook, silent]) await choose(user, id, '702');
  await scan(1, 300);
  await scan(2, 900);
  await fireCron('* * * * *');
  expect(await messagesOf(byMail.email, byMail.id)).toMatchObject([{ channel: 'mail' }]);
  expect(await messagesOf(byHook.email, byHook.id)).toMatchObject([{ channel: 'discord' }]);
  expect(await messagesOf(silent.email, silent.id)).toEqual([]);
  while ((await sendOutbox(env)).taken > 0);
  const posted = await (await fetch('http://discord.test/received/900000009001')).json<{ content: string }[]>();
  expect(posted).toHaveLength(1);
  expect(posted[0]?.content).toContain(`/dashboards/${id}/kingdoms/702?end=${START + 2 * HOUR}`);
});

it('notifies of the first scan, but not of delayed or unchanged ones', async () => {
  const user = await signedInUser();
  const [empty, delayed, still] = [
    await eventWith([]),
    await eventWith([100], { publication_delay: 168 }),
    await eventWith([100]),
  ];
  for (const { id } of [empty, delayed, still]) await choose(user, id);
  for (const event of [empty, delayed]) await event.scan(1, 900);
  await still.scan(1, 100);
  await minute();
  expect((await messagesOf(user.email)).map(({ text }) => text.split('\n')[2])).toEqual(['The first scan is in.']);
});

it('refuses unknown events and kingdoms, and more than the limit, each with a sentence', async () => {
  const user = await signedInUser();
  const { id } = await eventWith([]);
  expect(await choose(user, id, '999')).toMatchObject({
    status: 400,
    msg: expect.stringContaining('kingdom: 999 is not in'),
  });
  expect(await choose(user, 999_999)).toMatchObject({ status: 404 });
  expect(await choose(user, id, 'x')).toMatchObject({ status: 400, msg: expect.stringContaining('kingdom') });
  expect(await caller().call('GET', '/v1/account/following')).toMatchObject({ status: 401 });
  expect(await caller().call('GET', '/v1/account/following/changes')).toMatchObject({ status: 401 });
  const one = env.DB.prepare(
    'INSERT INTO event_follows (user_id, event_id, kingdom, told_ts, created_at) VALUES (?, ?, ?, 0, 0)',
  );
  await env.DB.batch(Array.from({ length: MAX_FOLLOWED }, (_, row) => one.bind(user.id, id, `x${row}`)));
  expect(await choose(user, id)).toMatchObject({
    status: 409,
    msg: expect.stringContaining('Stop to follow one first'),
  });
});

it('keeps one own kingdom per game, and a browser’s only if there is none', async () => {
  const user = await signedInUser();
  const set = async (kingdom: string | null, more: object = {}) =>
    (await user.call('PUT', '/v1/account/following/kingdom', { game: 'rok', kingdom, ...more })).data.own;
  expect(await set('701', { if_none: true })).toEqual({ rok: '701', cod: null });
  expect(await set('702', { if_none: true })).toEqual({ rok: '701', cod: null });
  expect(await set('703')).toEqual({ rok: '703', cod: null });
  expect(await set(null)).toEqual({ rok: null, cod: null });
});

it('shows changes since the last visit, in followed events and those of the own kingdom', async () => {
  const user = await signedInUser();
  const far = {
    camps: [
      { name: 'Fire', kingdoms: ['701'] },
      { name: 'Wind', kingdoms: ['704-1', '703', '702'] },
    ],
  };
  const [own, followed] = [await eventWith([100, 900], far), await eventWith([100, 900])];
  await user.call('PUT', '/v1/account/following/kingdom', { game: 'rok', kingdom: '704-1' });
  await choose(user, followed.id, '701');
  const shown = async () => (await user.call('GET', '/v1/account/following/changes')).data;
  expect(await shown()).toMatchObject({
    last_visit: null,
    events: [
      { dashboard_id: own.id, kingdom: '704-1', since: START, until: START + HOUR },
      { dashboard_id: followed.id, kingdom: '701', changes: expect.arrayContaining([expect.anything()]) },
    ],
    more: 0,
  });
  const seen = START + HOUR + 1;
  await env.DB.prepare('INSERT INTO visits (user_id, seen_at) VALUES (?, ?)').bind(user.id, seen).run();
  expect(await shown()).toEqual({ last_visit: seen, events: [], more: 0 });
  await followed.scan(2, 2000);
  const range = { since: START + HOUR, until: START + 2 * HOUR };
  expect((await shown()).events).toMatchObject([{ dashboard_id: followed.id, kingdom: '701', ...range }]);
});
