import { createHmac, randomBytes } from 'node:crypto';
import { base64url, errors, jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';
import type { Env } from '../env.ts';

/** Signed tokens and encrypted secrets. Both carry a key id, so that keys can be rotated while old ones still work. */

interface Keys {
  current: string;
  keys: Record<string, string>;
}

type KeyEnv = Pick<Env, 'SESSION_KEYS'>;

const MIN_KEY_BYTES = 32;

/** The format of the secret. A key id precedes a dot in sealed values, so it must not contain one. */
const keysForm = z.strictObject({
  current: z.string().min(1),
  keys: z.record(z.string().regex(/^[\w-]{1,40}$/), z.base64url()),
});

/** Returns what is wrong with the configured keys as a sentence, or null. */
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

/** Parses the configured keys. The Worker validates them before it serves anything. */
const keysOf = ({ SESSION_KEYS }: KeyEnv): Keys => JSON.parse(SESSION_KEYS) as Keys;

function keyOf(env: KeyEnv, id: string | undefined): { id: string; bytes: Uint8Array<ArrayBuffer> } {
  const { current, keys } = keysOf(env);
  const name = id ?? current;
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (!key) throw new Error('unknown key');
  return { id: name, bytes: new Uint8Array(base64url.decode(key)) };
}

/** The purpose of a token. A token made for a mail does not open a session. */
type Purpose = 'session' | 'device' | 'verify' | 'reset' | 'change_email' | 'stop_change' | 'share' | 'report';

/** Signs a token for the row `id`, valid until `expiresAt` (epoch ms). */
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

/** Returns the row id of a token and whether the token has expired; null if it is forged or has another purpose. */
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
    // jose checks times last, after signature and audience.
    if (error instanceof errors.JWTExpired && error.payload.jti) return { id: error.payload.jti, expired: true };
    // All other errors mean that the token is not ours.
    return null;
  }
}

/** Returns the id of the current signing key and all key ids. */
export const keyIds = (env: KeyEnv): { current: string; all: string[] } => {
  const { current, keys } = keysOf(env);
  return { current, all: Object.keys(keys) };
};

/** Returns the id of the current signing key. */
export const currentKey = (env: KeyEnv): string => keysOf(env).current;

/**
 * Returns the HMAC-SHA-256 of a text under a key. An unknown key id yields an unpredictable value. Faster than
 * `signToken`, for hundreds of signatures per second. Each text starts with its purpose, and none starts like a token.
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

/** Encrypts a secret for the database as `kid.iv.ciphertext` in base64url, bound to its `owner`. */
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

/** Decrypts the output of `seal`. Throws if it was altered or belongs to another owner. */
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

/** Returns the SHA-256 in hex. For random keys and codes only: they cannot be guessed, so a fast hash is enough. */
export async function hashOf(secret: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(secret));
  return Buffer.from(digest).toString('hex');
}
