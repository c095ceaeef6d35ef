import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  addGroup,
  firstCode,
  noteCopy,
  resetTwoFactor,
  revokeGroup,
  rotateGroup,
  setRole,
} from '../../worker/models/service/operator.ts';
import { caller, db, person, signedInAdmin, signedInUser } from './client.ts';
import { rowsWhere } from './payments-client.ts';
import { cell, mailsTo } from './people.ts';

/** What `npm run admin` does: its rows, its log entries, and what it opens and closes. */

const OPERATOR = { name: 'olga' };
const logOf = (subject: string) =>
  rowsWhere<{ action: string; actor: string; detail: string }>(
    `SELECT action, actor, detail FROM audit_entries WHERE subject = ?1 OR user_id = ?1 ORDER BY id`,
    subject,
  );
const lastOf = async (subject: string, action: string) => {
  const entry = (await logOf(subject)).findLast((each) => each.action === action);
  return entry && { actor: entry.actor, ...(JSON.parse(entry.detail) as object) };
};
const signedIn = async (user: { call(method: string, path: string): Promise<{ status: number }> }) =>
  (await user.call('GET', '/v1/orders/')).status === 200;

describe('roles', () => {
  it('are granted once, logged, and sign nobody out', async () => {
    const [user, other] = [await signedInUser(), await signedInUser()];
    expect(await setRole(db, OPERATOR, user.id, 'admin')).toBe(true);
    expect(await lastOf(user.id, 'role.changed')).toEqual({ actor: 'operator', role: 'admin', by: 'olga' });
    expect(await setRole(db, OPERATOR, user.id, 'admin')).toBe(false);
    expect((await logOf(user.id)).filter(({ action }) => action === 'role.changed')).toHaveLength(1);
    expect(await signedIn(user)).toBe(true);
    expect(await cell('SELECT role FROM users WHERE id = ?', other.id)).toBe('user');
    const support = await person({ role: 'support' });
    expect(await setRole(db, OPERATOR, support.id, 'admin')).toBe(true);
    expect(await cell('SELECT role FROM users WHERE id = ?', support.id)).toBe('admin');
  });

  it('are revoked with the admin pages and all sessions, for that user alone', async () => {
    const [admin, other] = [await signedInAdmin(), await signedInAdmin()];
    expect((await admin.call('GET', '/v1/admin/figures')).status).toBe(200);
    expect(await setRole(db, OPERATOR, admin.id, 'user')).toBe(true);
    expect([await signedIn(admin), await signedIn(other)]).toEqual([false, true]);
    expect((await other.call('GET', '/v1/admin/figures')).status).toBe(200);
    expect(await cell('SELECT role FROM users WHERE id = ?', admin.id)).toBe('user');
    expect(await lastOf(admin.id, 'role.changed')).toEqual({ actor: 'operator', role: 'user', by: 'olga' });
    const plain = await signedInUser();
    expect(await setRole(db, OPERATOR, plain.id, 'user')).toBe(false);
    expect(await logOf(plain.id)).not.toContainEqual(expect.objectContaining({ action: 'role.changed' }));
  });
});

describe('a lost second factor', () => {
  const withFactor = async () => {
    const user = await signedInUser();
    await env.DB.batch([
      env.DB.prepare(`INSERT INTO two_factor (user_id, secret, confirmed_at) VALUES (?, 'sealed', 1)`).bind(user.id),
      env.DB.prepare(`INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)`).bind(user.id, `hash-${user.id}`),
    ]);
    return user;
  };
  const left = (id: string) =>
    Promise.all(
      ['two_factor', 'recovery_codes', 'sessions'].map((table) =>
        cell(`SELECT count(*) FROM ${table} WHERE user_id = ?`, id),
      ),
    );

  it('is removed with its codes and all sessions, mailed, and logged with the proof', async () => {
    const [user, other] = [await withFactor(), await withFactor()];
    const proof = 'answered a mail, named order 7';
    expect(await resetTwoFactor(db, OPERATOR, { userId: user.id, email: user.email, proof })).toBe(true);
    expect(await left(user.id)).toEqual([0, 0, 0]);
    expect(await left(other.id)).toEqual([1, 1, 1]);
    expect((await mailsTo(user.email)).map(({ subject }) => subject)).toEqual(['Two-factor sign-in was switched off']);
    expect(await mailsTo(other.email)).toEqual([]);
    expect(await lastOf(user.id, 'two_factor.reset')).toEqual({ actor: 'operator', proof, by: 'olga' });
  });

  it('is not removed from an account without one', async () => {
    const user = await signedInUser();
    expect(await resetTwoFactor(db, OPERATOR, { userId: user.id, email: user.email, proof: 'as above' })).toBe(false);
    expect(await signedIn(user)).toBe(true);
    expect(await mailsTo(user.email)).toEqual([]);
    expect(await lastOf(user.id, 'two_factor.reset')).toBeUndefined();
  });
});

describe('groups of bots', () => {
  const ask = (token: string) =>
    caller({ authorization: `Bearer ${token}` })
      .call('POST', '/v1/fleet/heartbeat', { bot_id: 'one', account_game: 'rok' })
      .then(({ status }) => status);
  const name = () => `group-${crypto.randomUUID().slice(0, 8)}`;

  it('are added once per name, with a hashed token that opens fleet calls', async () => {
    const id = name();
    const token = (await addGroup(db, OPERATOR, { id, name: 'Scanners' })) ?? '';
    expect(await ask(token)).toBe(200);
    expect(await ask(`${token}x`)).toBe(401);
    expect(JSON.stringify(await rowsWhere('SELECT * FROM bot_groups WHERE id = ?', id))).not.toContain(token);
    expect(await lastOf(id, 'group.added')).toEqual({ actor: 'operator', name: 'Scanners', by: 'olga' });
    expect(JSON.stringify(await logOf(id))).not.toContain(token);
    expect(await addGroup(db, OPERATOR, { id, name: 'Others' })).toBeNull();
    expect(await cell('SELECT name FROM bot_groups WHERE id = ?', id)).toBe('Scanners');
  });

  it('lose their old token when rotated or revoked, and reopen when rotated', async () => {
    const [id, beside] = [name(), name()];
    const first = (await addGroup(db, OPERATOR, { id, name: id })) ?? '';
    const other = (await addGroup(db, OPERATOR, { id: beside, name: beside })) ?? '';
    const second = (await rotateGroup(db, OPERATOR, id)) ?? '';
    expect([await ask(first), await ask(second), await ask(other)]).toEqual([401, 200, 200]);
    expect(await lastOf(id, 'group.rotated')).toEqual({ actor: 'operator', by: 'olga' });
    expect(await revokeGroup(db, OPERATOR, id)).toBe(true);
    expect(await revokeGroup(db, OPERATOR, id)).toBe(false);
    expect((await logOf(id)).filter(({ action }) => action === 'group.revoked')).toHaveLength(1);
    expect(await cell('SELECT revoked_at IS NOT NULL FROM bot_groups WHERE id = ?', id)).toBe(1);
    expect(await cell('SELECT revoked_at FROM bot_groups WHERE id = ?', beside)).toBeNull();
    const third = (await rotateGroup(db, OPERATOR, id)) ?? '';
    expect(await ask(third)).toBe(200);
    expect([await rotateGroup(db, OPERATOR, name()), await revokeGroup(db, OPERATOR, name())]).toEqual([null, false]);
  });

  it('are refused at once if revoked before their first call', async () => {
    const id = name();
    const token = (await addGroup(db, OPERATOR, { id, name: id })) ?? '';
    await revokeGroup(db, OPERATOR, id);
    expect(await ask(token)).toBe(401);
  });
});

it('a first code allows its number of accounts until it expires, and is logged', async () => {
  const expires_at = Date.now() + 1000;
  const code = await firstCode(db, OPERATOR, { uses: 3, expires_at });
  expect(
    await rowsWhere('SELECT max_uses, uses, expires_at, created_by FROM access_codes WHERE code = ?', code),
  ).toEqual([{ max_uses: 3, uses: 0, expires_at, created_by: 'operator' }]);
  expect(await lastOf(code, 'access_code.created')).toEqual({ actor: 'operator', uses: 3, by: 'olga' });
});

it('a backup is logged with its contents', async () => {
  await noteCopy(db, OPERATOR, 'backup.taken', { rows: 5 });
  expect(
    await rowsWhere(`SELECT detail FROM audit_entries WHERE action = 'backup.taken' ORDER BY id DESC LIMIT 1`),
  ).toEqual([{ detail: JSON.stringify({ rows: 5, by: 'olga' }) }]);
});
