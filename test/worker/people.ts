import { env } from 'cloudflare:workers';
import { Secret, TOTP } from 'otpauth';
import { createAccessCode } from '../../worker/models/accounts/access-codes.ts';
import { eventually } from '../support/eventually.ts';
import { db, PASSWORD, type Person } from './client.ts';

/** People who have not registered yet, and their mailboxes. */

let codes = 0;

/** Makes an access code with this many uses. */
export async function accessCode(max_uses = 1, expires_at: number | null = null): Promise<string> {
  const code = `CODE-${++codes}-${crypto.randomUUID().slice(0, 8).toUpperCase()}`;
  await createAccessCode(db, { code, max_uses, expires_at, note: '' }, { id: 'test', address: '' });
  return code;
}

export interface Newcomer {
  username: string;
  password: string;
  email: string;
  fullname: string;
  access_code: string;
}

/** Returns a filled-in registration form, with a new access code by default. */
export async function newcomer(changes: Partial<Newcomer> = {}): Promise<Newcomer> {
  const name = `new-${crypto.randomUUID().slice(0, 8)}`;
  return {
    username: name,
    password: PASSWORD,
    email: `${name}@mail.example`,
    fullname: 'New Comer',
    access_code: changes.access_code ?? (await accessCode()),
    ...changes,
  };
}

/** Returns the mails to an address, newest first. */
export async function mailsTo(recipient: string): Promise<{ subject: string; text: string; reference: string }[]> {
  const { results } = await env.DB.prepare(
    'SELECT subject, text, reference FROM outbox WHERE recipient = ? ORDER BY id DESC',
  )
    .bind(recipient)
    .all<{ subject: string; text: string; reference: string }>();
  return results;
}

/** Returns the token in the newest mail to an address; waits, because some mails are written after the answer. */
export const tokenFor = (recipient: string, kind: string): Promise<string> =>
  eventually(async () => {
    const mail = (await mailsTo(recipient)).find(({ reference }) => reference.startsWith(`${kind}:`));
    const token = /token=(\S+)/.exec(mail?.text ?? '')?.[1];
    if (token === undefined) throw new Error(`no ${kind} mail to ${recipient}`);
    return decodeURIComponent(token);
  });

/** Returns the code that an authenticator shows. */
export const codeOf = (secret: string, timestamp = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

/** Gives an account a second factor whose codes nobody knows. */
export const withSecondFactor = ({ id }: Pick<Person, 'id'>) =>
  env.DB.prepare(`INSERT INTO two_factor (user_id, secret, confirmed_at) VALUES (?, 'x', 1)`).bind(id).run();

/** Returns the first column of a query's first row. */
export async function cell<Value>(sql: string, ...values: unknown[]): Promise<Value> {
  const [row] = await env.DB.prepare(sql)
    .bind(...values)
    .raw<[Value]>();
  if (!row) throw new Error('no row');
  return row[0];
}
