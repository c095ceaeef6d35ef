import { env } from 'cloudflare:workers';
import { expect, it, test } from 'vitest';
import { openDb } from '../../worker/db/open.ts';
import { importOf } from '../../worker/models/library/imports.ts';
import { takeUpload } from '../../worker/services/library/preview-import.ts';
import { saveImport } from '../../worker/services/library/save-import.ts';
import { db, PASSWORD, type Person, signedInUser } from './client.ts';
import { bring, fileOf, keep } from './own-scans.ts';
import { cell } from './people.ts';
import { counted } from './stores.ts';

/** Saving imports: concurrent calls within the account's limits, deletion of the account meanwhile, files of many scans. */

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

const FILE = fileOf([{ id: 1 }, { id: 2 }]);
const NAME = '4001_2026-02-01.csv';

const deletes = async (user: Person) => {
  const form = { current_password: PASSWORD, username: user.username };
  expect((await user.call('POST', '/v1/account/delete', form)).status).toBe(200);
};

/** A store in which the account is deleted when its first file in a folder is about to be written. */
function storeDuring(user: Person, folder: string): R2Bucket {
  let isDeleted = false;
  const put = async (...args: Parameters<R2Bucket['put']>) => {
    if (!isDeleted && args[0].startsWith(folder)) {
      isDeleted = true;
      await deletes(user);
    }
    return env.STORE.put(...args);
  };
  return new Proxy(env.STORE, {
    get: (store, name) => {
      const value = Reflect.get(store, name);
      return name === 'put' ? put : typeof value === 'function' ? value.bind(store) : value;
    },
  });
}

const filesOf = async ({ id }: Person) => {
  const { objects } = await env.STORE.list();
  return objects.map(({ key }) => key).filter((key) => key.includes(id));
};
const rowsOf = async ({ id }: Person) => [
  await cell(`SELECT count(*) FROM imports WHERE user_id = '${id}'`),
  await cell(`SELECT count(*) FROM scans WHERE user_id = '${id}'`),
];

it.each([
  ['as it arrives', 'arriving/', 'too_many'],
  ['once it is read', 'imports/', 'conflict'],
])('an upload written after the deletion, %s, is removed again', async (_, folder, code) => {
  const user = await signedInUser(0);
  const upload = { name: NAME, body: new TextEncoder().encode(FILE), kingdom: undefined, captured_at: undefined };
  const taken = takeUpload({ ...env, STORE: storeDuring(user, folder) }, db, user.id, upload);
  await expect(taken).rejects.toMatchObject({ code });
  expect([await filesOf(user), await rowsOf(user)]).toEqual([[], [0, 0]]);
});

it('an upload that begins after the deletion leaves no row', async () => {
  const user = await signedInUser(0);
  await deletes(user);
  const upload = { name: NAME, body: new TextEncoder().encode(FILE), kingdom: undefined, captured_at: undefined };
  await expect(takeUpload(env, db, user.id, upload)).rejects.toMatchObject({ code: 'too_many' });
  expect([await filesOf(user), await rowsOf(user)]).toEqual([[], [0, 0]]);
});

it('a save that writes scans after the deletion removes them again', async () => {
  const user = await signedInUser(0);
  const { data } = await bring(user, NAME, FILE);
  const file = await importOf(db, user.id, data.import_id);
  if (!file) throw new Error('an import expected');
  await expect(saveImport({ ...env, STORE: storeDuring(user, 'own/') }, db, file, {})).rejects.toThrow();
  expect([await filesOf(user), await rowsOf(user)]).toEqual([[], [0, 0]]);
});

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
