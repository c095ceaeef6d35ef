import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { csvRows } from '../support/files.ts';
import { caller, type Person, signedInUser } from './client.ts';
import { bring, fileOf, keep, SETTINGS } from './own-scans.ts';

/** Saves two scans of two governors and returns their ids. */
async function war(user: Person): Promise<{ from: string; to: string }> {
  const deads = (first: number, second: number) =>
    fileOf([
      { id: 1, deads: first },
      { id: 2, deads: second },
    ]);
  const [from] = await keep(user, '2026-01-05.csv', deads(10, 10));
  const [to] = await keep(user, '2026-01-19.csv', deads(510, 60));
  return { from: from as string, to: to as string };
}

/** Saves a report of the war. */
async function saved(user: Person, { from, to }: { from: string; to: string }, settings: object) {
  const ranges = [{ from: [from], to: [to] }];
  const report = { name: 'War', ranges, settings: { ...SETTINGS, weights: { deads: 1 }, ...settings } };
  const { data } = await user.call('POST', '/v1/reports', report);
  return { id: data.report_id as string };
}

/** Opens a report by a link, as a stranger. */
async function sharedReport(user: Person, id: string) {
  const { data: link } = await user.call('POST', `/v1/reports/${id}/links`, { days: 1 });
  return (await caller().call('GET', `/v1/reports/shared/${link.path.split('/').at(-1)}`)).data;
}

test('verified deads replace those of the scans in the call and its files', async () => {
  const user = await signedInUser(0);
  const { from, to } = await war(user);
  const query = `from=${from}&to=${to}&deads=1&verified=${encodeURIComponent('1: 200 / 30; 9: 1 / 1')}`;
  const { data } = await user.call('GET', `/v1/compare?${query}`);
  expect(data.players['1']).toMatchObject({ deads: 230, dkp: 230, verified: { t4: 200, t5: 30 } });
  expect(data.players['2']).toMatchObject({ deads: 50, dkp: 50 });
  expect(data.players['2'].verified).toBeUndefined();
  expect([data.all.dkp, data.verified]).toEqual([280, { 1: { t4: 200, t5: 30 }, 9: { t4: 1, t5: 1 } }]);
  const file = await user.fetch(`/v1/compare/export?${query}&type=csv`);
  const rows = csvRows(new Uint8Array(await file.arrayBuffer()));
  expect(rows.map((row) => [row.id, row.dkp, row.verified_t4, row.verified_t5])).toEqual([
    ['1', '230', '200', '30'],
    ['2', '50', '', ''],
  ]);
  const refused = (await user.call('GET', `/v1/compare?from=${from}&to=${to}&verified=1:5`)).msg;
  expect(refused).toBe("verified: Line 1: '5' must be the deads of T4 / T5, as in '20436276: 120,000 / 34,000'.");
});

test('reports keep verified deads, and their links show them without the settings', async () => {
  const user = await signedInUser(0);
  const verified = { 1: { t4: 200, t5: 30 } };
  const { id } = await saved(user, await war(user), { columns: ['id', 'dkp', 'verified_t4'], verified });
  expect((await user.call('GET', `/v1/reports/${id}`)).data.report.settings.verified).toEqual(verified);
  const shared = await sharedReport(user, id);
  expect(shared.rows).toEqual([
    [1, 230, 200],
    [2, 50, null],
  ]);
  expect(shared.settings.verified).toBeUndefined();
});

test('a report saved before deads could be verified has none', async () => {
  const user = await signedInUser(0);
  const { id } = await saved(user, await war(user), { columns: ['id', 'dkp'] });
  await env.DB.prepare(`UPDATE reports SET settings = json_remove(settings, '$.verified') WHERE id = ?`).bind(id).run();
  expect((await user.call('GET', `/v1/reports/${id}`)).data.report.settings.verified).toEqual({});
  expect((await sharedReport(user, id)).rows).toEqual([
    [1, 500],
    [2, 50],
  ]);
});

test('a file of verified deads is refused as a scan, with the place where it belongs', async () => {
  const user = await signedInUser(0);
  const { msg } = await bring(user, 'verified_deaths.csv', 'governor_id,t4_deaths,t5_deaths,notes\n1,200,30,ok\n');
  expect(msg).toBe('These are verified deads, which are no scan. Add them to a comparison, under Verified deads.');
});
