import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { withMemory } from '../../isolate/memory.ts';

// 17 MB and about 0.25 s, from OWASP's list of equivalent scrypt parameters; see docs/decisions.
const COST = { N: 2 ** 14, r: 8, p: 5 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;

const derive = (password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  withMemory(
    'passwordHash',
    () =>
      new Promise((resolve, reject) =>
        scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) =>
          error ? reject(error) : resolve(key),
        ),
      ),
  );

/**
 * Returns `scrypt$N$r$p$salt$hash`. The parameters are stored with the hash, so they can be raised without a migration.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

// A hash that matches no password, so that an unknown name takes as long as a wrong password.
const NOBODY = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Compares in constant time. A null hash (unknown user, deleted account) takes as long and never matches. */
export async function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', expected = ''] = (hash || NOBODY).split('$');
  const key = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(key, Buffer.from(expected, 'base64url')) && Boolean(hash);
}
