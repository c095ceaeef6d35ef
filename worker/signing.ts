import { createHmac, randomBytes } from 'node:crypto';
import { base64url, errors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';
import type { Env } from './env.ts';

/** Signed tokens and sealed secrets, both by key id, so that keys can be changed while old ones still count. */

interface Keys {
  current: string;
  keys: Record<string, string>;
}

type KeyEnv = Pick<Env, 'SESSION_KEYS'>;

const MIN_KEY_BYTES = 32;

/** The form of the secret. An id stands in tokens and before what is sealed, so it has no dot. */
const keysForm = z.strictObject({
  current: z.string().min(1),
  keys: z.record(z.string().regex(/^[\w-]{1,40}$/), z.base64url()),
});

/** What is wrong with the keys of the configuration, as a sentence, or null. */
export function flawOfKeys({ SESSION_KEYS }: KeyEnv): string | null {
  if (!SESSION_KEYS) return 'SESSION_KEYS is not set.';
  let told: unknown;
  try {
    told = JSON.parse(SESSION_KEYS);
  } catch {
    return 'SESSION_KEYS is not JSON.';
  }
  const read = keysForm.safeParse(told);
  if (!read.success)
    return 'SESSION_KEYS must be {"current":"<id>","keys":{"<id>":"<key in base64url>"}}, with ids of letters, digits, - and _.';
  const { current, keys } = read.data;
  const weak = Object.entries(keys).find(([, key]) => base64url.decode(key).length < MIN_KEY_BYTES);
  if (weak) return `The key '${weak[0]}' of SESSION_KEYS is shorter than ${MIN_KEY_BYTES} bytes.`;
  return Object.hasOwn(keys, current) ? null : `SESSION_KEYS has no key '${current}', which it names as current.`;
}

/** The keys of the configuration, which the Worker checks before it serves anything. */
const keysOf = ({ SESSION_KEYS }: KeyEnv): Keys => JSON.parse(SESSION_KEYS) as Keys;

function keyOf(env: KeyEnv, id: string | undefined): { id: string; bytes: Uint8Array<ArrayBuffer> } {
  const { current, keys } = keysOf(env);
  const name = id ?? current;
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (!key) throw new Error('unknown key');
  return { id: name, bytes: new Uint8Array(base64url.decode(key)) };
}

/** What a token is for; one made for a mail opens no session. */
export type Purpose = 'session' | 'device' | 'verify' | 'reset' | 'change_email' | 'stop_change' | 'share' | 'report';

/** Signs a token that names a row (`id`) and runs out at `expiresAt` (epoch milliseconds). */
export function signToken(env: KeyEnv, purpose: Purpose, id: string, expiresAt: number): Promise<string> {
  const key = keyOf(env, undefined);
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256', kid: key.id })
    .setAudience(purpose)
    .setJti(id)
    .setIssuedAt()
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .sign(key.bytes);
}

/** The row that a token names, and whether it has run out; null where it is forged or for another purpose. */
export async function readToken(
  env: KeyEnv,
  purpose: Purpose,
  token: string,
): Promise<{ id: string; expired: boolean } | null> {
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => keyOf(env, kid ?? '').bytes, {
      algorithms: ['HS256'],
      audience: purpose,
    });
    return payload.jti ? { id: payload.jti, expired: false } : null;
  } catch (error) {
    // jose looks at the times last, after the signature and the audience.
    if (error instanceof errors.JWTExpired && error.payload.jti) return { id: error.payload.jti, expired: true };
    // Any other flaw of a token means the same: it is not ours.
    return null;
  }
}

/** The ids of the keys: the one that is signed with now, and all. */
export const keyIds = (env: KeyEnv): { current: string; all: string[] } => {
  const { current, keys } = keysOf(env);
  return { current, all: Object.keys(keys) };
};

/** The id of the key that is signed with now. */
export const currentKey = (env: KeyEnv): string => keysOf(env).current;

/**
 * HMAC-SHA-256 of a text under the key of that id; an unknown key gives one that nobody can have made. For what is signed
 * by the hundred a second; a text begins with what it is for, and none begins as a token does.
 */
export function macOf(env: KeyEnv, keyId: string, text: string): Buffer {
  const { keys } = keysOf(env);
  const key = Object.hasOwn(keys, keyId) ? Buffer.from(keys[keyId] as string, 'base64url') : randomBytes(MIN_KEY_BYTES);
  return createHmac('sha256', key).update(text).digest();
}

async function sealKey(env: KeyEnv, id: string | undefined): Promise<{ id: string; key: CryptoKey }> {
  const { id: name, bytes } = keyOf(env, id);
  const base = await crypto.subtle.importKey('raw', bytes, 'HKDF', false, ['deriveKey']);
  const info = new TextEncoder().encode('muster seal');
  const key = await crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
  return { id: name, key };
}

/** Encrypts a secret for the database: `kid.iv.ciphertext` in base64url, bound to its `owner`. */
export async function seal(env: KeyEnv, owner: string, secret: string): Promise<string> {
  const { id, key } = await sealKey(env, undefined);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const additionalData = new TextEncoder().encode(owner);
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData },
    key,
    new TextEncoder().encode(secret),
  );
  return [id, base64url.encode(iv), base64url.encode(new Uint8Array(sealed))].join('.');
}

/** Decrypts what `seal` made; throws where it was tampered with or belongs to another owner. */
export async function unseal(env: KeyEnv, owner: string, sealed: string): Promise<string> {
  const [id = '', iv = '', text = ''] = sealed.split('.');
  const { key } = await sealKey(env, id);
  const additionalData = new TextEncoder().encode(owner);
  const plain = await crypto.subtle.decrypt(
    { name: 'AES-GCM', iv: new Uint8Array(base64url.decode(iv)), additionalData },
    key,
    new Uint8Array(base64url.decode(text)),
  );
  return new TextDecoder().decode(plain);
}

/** SHA-256 in hex: for random keys and codes, where a fast hash is enough to make the table useless to a thief. */
export async function hashOf(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return Buffer.from(digest).toString('hex');
}
