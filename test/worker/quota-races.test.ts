import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { importOf } from '../../worker/models/library/imports.ts';
import { saveImport } from '../../worker/services/library/save-import.ts';
import { db, signedInUser } from './client.ts';
import { bring, fileOf } from './own-scans.ts';
import { cell } from './people.ts';

/** The limits of an account hold for concurrent calls. */

it('saves as many of twelve concurrent files as fit, and stores no others', async () => {
  const user = await signedInUser(0);
  const bindings = { ...env, OWN_ROWS: '10' };
  const brought = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      bring(user, `4100_2026-01-${index + 10}.csv`, fileOf([1, 2, 3].map((id) => ({ id, power: 1e6 + index })))),
    ),
  );
  const saved = await Promise.all(
    brought.map(async ({ data }) => {
      const file = await importOf(db, user.id, data.import_id);
      if (!file) throw new Error('an import expected');
      return saveImport(bindings, db, file, {}).catch((error: { code: string }) => error.code);
    }),
  );
  expect(saved.filter((each) => each === 'too_large')).toHaveLength(9);
  expect(await cell(`SELECT sum(rows) FROM scans WHERE user_id = '${user.id}'`)).toBe(9);
  expect((await env.STORE.list({ prefix: `own/${user.id}/` })).objects).toHaveLength(3);
});

it('makes one scan of a file that is saved ten times at once', async () => {
  const user = await signedInUser(0);
  const { data } = await bring(user, '4101_2026-01-10.csv', fileOf([{ id: 1, kingdom: 4101 }]));
  const save = () => user.call('POST', `/v1/scans/import/${data.import_id}/save`, {});
  const answers = await Promise.all(Array.from({ length: 10 }, save));
  const ids = new Set(answers.flatMap((answer) => (answer.status === 200 ? answer.data.scan_ids : [])));
  expect(ids.size).toBe(1);
  expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
  expect(await cell(`SELECT count(*) FROM scans WHERE user_id = '${user.id}'`)).toBe(1);
  expect((await env.STORE.list({ prefix: `own/${user.id}/` })).objects).toHaveLength(1);
});

it('accepts no more of twenty concurrent files than a day allows', async () => {
  const user = await signedInUser(0);
  const most = Number(env.OWN_FILES_PER_DAY);
  await db.$client
    .prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)
       INSERT INTO imports (id, user_id, name, content_hash, said, state, created_at, expires_at)
       SELECT 'quota-' || i, ?1, 'a.csv', i, '{}', 'refused', ?3, ?3 FROM n`,
    )
    .bind(user.id, most - 3, Date.now())
    .run();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => bring(user, `4102_2026-01-10.csv`, fileOf([{ id: index + 1 }]))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(17);
  expect((await env.STORE.list({ prefix: `imports/${user.id}/` })).objects).toHaveLength(3);
});
