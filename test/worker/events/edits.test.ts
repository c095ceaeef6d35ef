import { expect, test } from 'vitest';
import { db } from '../client.ts';
import { eventOf, fighter, HOUR, load, madeEvent, START } from './war.ts';

/** Edits of an event by several admins. */

const GOAL = { min_power: 5, dkp: null, kills: 100, deads: null };

async function edited() {
  const { admin, id } = await madeEvent();
  const version = async () => (await admin.call('GET', `/v1/admin/events/${id}`)).data.version as string;
  const put = (seen: string, more: Record<string, unknown>) =>
    admin.call('PUT', `/v1/admin/events/${id}?seen=${seen}`, eventOf(more));
  return { admin, id, version, put };
}

test('a plan replaces the version that was seen, and no other', async () => {
  const { admin, id, version, put } = await edited();
  const first = await version();
  expect((await put(first, { name: 'One' })).status).toBe(200);
  expect(await put(first, { name: 'Two' })).toMatchObject({ status: 409, msg: expect.stringContaining('same time') });
  // A retry whose first answer was lost finds its own plan.
  expect((await put(first, { name: 'One' })).status).toBe(200);
  expect((await admin.call('GET', `/v1/admin/events/${id}`)).data.event.name).toBe('One');
  expect((await put(await version(), { name: 'Two' })).status).toBe(200);
});

test('of edits at the same time one is saved', async () => {
  const { version, put } = await edited();
  const seen = await version();
  const answers = await Promise.all(['One', 'Two', 'Three'].map((name) => put(seen, { name })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
});

test('a new scan and a change of state are no other plan', async () => {
  const { admin, id, version, put } = await edited();
  const seen = await version();
  await load(admin, id, START + HOUR, [fighter(1, 701, 10)]);
  await admin.call('POST', `/v1/admin/events/${id}/close`);
  expect(await version()).toBe(seen);
  expect((await put(seen, { name: 'One' })).status).toBe(200);
});

test('the log tells what changed; reasons of exemptions are for admins alone', async () => {
  const { admin, id, version, put } = await edited();
  const more = { goals: [GOAL], exempt: [7], exempt_reasons: { 7: 'a secret' } };
  expect((await put(await version(), more)).status).toBe(200);
  const { detail } = (await db.$client
    .prepare(`SELECT detail FROM audit_entries WHERE subject = ? AND action = 'event.edited'`)
    .bind(`event:${id}`)
    .first<{ detail: string }>()) ?? { detail: '{}' };
  expect(JSON.parse(detail).changes).toEqual([
    { what: 'Goal from 5', before: null, after: 'kills 100' },
    { what: 'Exempt 7', before: null, after: 'a secret' },
  ]);
  expect((await admin.call('GET', `/v1/admin/events/${id}`)).data.event.exempt_reasons).toEqual({ 7: 'a secret' });
  expect(JSON.stringify((await admin.call('GET', `/v1/dashboards/${id}`)).data)).not.toContain('secret');
  const long = { exempt: [7], exempt_reasons: { 7: 'x'.repeat(101) } };
  expect((await put(await version(), long)).msg).toMatch(/^exempt_reasons\.7: must have 100 characters/);
});
