import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { importOf } from '../../worker/models/library/imports.ts';
import { takeUpload } from '../../worker/services/library/preview-import.ts';
import { saveImport } from '../../worker/services/library/save-import.ts';
import { db, PASSWORD, type Person, signedInUser } from './client.ts';
import { bring, fileOf } from './own-scans.ts';
import { cell } from './people.ts';

/** Uploads and saves that run while the account is deleted leave no data behind. */

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
