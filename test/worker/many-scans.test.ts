import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { openDb } from '../../worker/db/open.ts';
import { importOf } from '../../worker/models/library/imports.ts';
import { saveImport } from '../../worker/services/library/save-import.ts';
import { db, signedInUser } from './client.ts';
import { counted } from './counted.ts';
import { bring, fileOf, keep } from './own-scans.ts';

const SCANS = 60;
/** Requests for the whole file, however many scans it has. */
const OF_FILE = 50;

/** A file of `SCANS` kingdoms. */
const war = (power: number): string =>
  fileOf(Array.from({ length: SCANS }, (_, index) => ({ id: index + 1, kingdom: 1001 + index, power })));

test('saving a file of many scans takes one read and one write per scan', async () => {
  const user = await signedInUser(0);
  expect(await keep(user, 'war_2026-01-05.csv', war(5))).toHaveLength(SCANS);
  const { data } = await bring(user, 'war_2026-01-06.csv', war(6));
  const file = (await importOf(db, user.id, data.import_id)) ?? expect.fail();
  let requests = 0;
  const count = () => {
    requests++;
  };
  const ids = await saveImport(
    { ...env, STORE: counted(env.STORE, count) },
    openDb({ DB: counted(env.DB, count) }),
    file,
    {},
  );
  expect(ids).toHaveLength(SCANS);
  expect(requests).toBeGreaterThan(SCANS);
  expect(requests).toBeLessThan(2 * SCANS + OF_FILE);
});
