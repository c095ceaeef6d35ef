import { expect, test } from 'vitest';
import type { FileReport } from '../../domain/scans/file-report.ts';
import { bot, caller, signedInAdmin, signedInUser } from './client.ts';

const FILE: FileReport = {
  path: '4001.csv',
  refused: null,
  dialect: 'Hero Scrolls',
  game: 'rok',
  kingdoms: [4001],
  captured_at: 1,
  rows: 2,
  dropped: 1,
  unknown_headers: ['Mood'],
  problems: [{ line: 3, column: 'governor_id', reason: '1 stands twice.', dropped: true }],
  problem_count: 1,
};

test('only admins see what a bot read from each file', async () => {
  const [worker, admin] = await Promise.all([bot('folder-1'), signedInAdmin()]);
  await worker.call('POST', '/v1/fleet/heartbeat', { bot_id: worker.name, account_game: 'rok' });
  expect((await admin.call('GET', '/v1/admin/bots/folder-1/files')).data).toEqual([
    { group_id: expect.any(String), files: [], told_at: null },
  ]);
  expect((await worker.call('POST', '/v1/fleet/files', { bot_id: worker.name, files: [FILE] })).status).toBe(200);
  const { data } = await admin.call('GET', '/v1/admin/bots/folder-1/files');
  expect(data).toEqual([{ group_id: expect.any(String), files: [FILE], told_at: expect.any(Number) }]);
  expect((await admin.call('GET', '/v1/admin/bots/nobody/files')).status).toBe(404);
  const user = await signedInUser(0);
  expect((await user.call('GET', '/v1/admin/bots/folder-1/files')).status).toBe(404);
  const report = { bot_id: worker.name, files: [FILE] };
  expect((await caller().call('POST', '/v1/fleet/files', report)).status).toBe(401);
  const many = { bot_id: worker.name, files: Array.from({ length: 201 }, () => FILE) };
  expect((await worker.call('POST', '/v1/fleet/files', many)).msg).toBe('files: must have 200 entries at most.');
});

test('bots of the same name in two groups have a report each', async () => {
  const [first, second, admin] = [await bot('twin'), await bot('twin'), await signedInAdmin()];
  for (const worker of [first, second])
    await worker.call('POST', '/v1/fleet/heartbeat', { bot_id: worker.name, account_game: 'rok' });
  const reports = async (): Promise<{ group_id: string; files: FileReport[] }[]> =>
    (await admin.call('GET', '/v1/admin/bots/twin/files')).data;
  await first.call('POST', '/v1/fleet/files', { bot_id: 'twin', files: [FILE] });
  const [own] = (await reports()).filter(({ files }) => files.length > 0);
  await second.call('POST', '/v1/fleet/files', { bot_id: 'twin', files: [{ ...FILE, path: '4002.csv' }] });
  const paths = Object.fromEntries((await reports()).map(({ group_id, files: [file] }) => [group_id, file?.path]));
  expect(Object.values(paths).sort()).toEqual(['4001.csv', '4002.csv']);
  expect(paths[own?.group_id ?? '']).toBe('4001.csv');
});
