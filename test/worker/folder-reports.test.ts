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
  expect((await admin.call('GET', '/v1/admin/bots/folder-1/files')).data).toEqual({ files: [], told_at: null });
  expect((await worker.call('POST', '/v1/fleet/files', { bot_id: worker.name, files: [FILE] })).status).toBe(200);
  const { data } = await admin.call('GET', '/v1/admin/bots/folder-1/files');
  expect(data).toEqual({ files: [FILE], told_at: expect.any(Number) });
  expect((await admin.call('GET', '/v1/admin/bots/nobody/files')).status).toBe(404);
  const user = await signedInUser(0);
  expect((await user.call('GET', '/v1/admin/bots/folder-1/files')).status).toBe(404);
  const report = { bot_id: worker.name, files: [FILE] };
  expect((await caller().call('POST', '/v1/fleet/files', report)).status).toBe(401);
  const many = { bot_id: worker.name, files: Array.from({ length: 201 }, () => FILE) };
  expect((await worker.call('POST', '/v1/fleet/files', many)).msg).toBe('files: must have 200 entries at most.');
});
