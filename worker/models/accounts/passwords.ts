import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { Gate } from '../../gate.ts';

// 17 MB and about a quarter of a second: docs/decisions and OWASP's list of equal-cost scrypt parameters.
const COST = { N: 2 ** 14, r: 8, p: 5 };
const HASH_BYTES = 32;
const SALT_BYTES = 16;

/** An isolate stands still while it hashes: one at a time, with a moment between two for everybody else's calls. */
const hashing = new Gate(1, 10_000);

async function derive(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  const place = await hashing.enter();
  try {
    return await new Promise((resolve, reject) =>
      scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) =>
        error ? reject(error) : resolve(key),
      ),
    );
  } finally {
    place.leave();
  }
}

/** `scrypt$N$r$p$salt$hash`: the parameters stay with the hash, so they can be raised without a migration. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, COST);
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

// A hash of nobody's password, with today's parameters: an unknown name takes as long as a wrong password.
const NOBODY = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Compares in constant time; no hash (unknown user, deleted account) costs the same and is never right. */
export async function passwordMatches(password: string, hash: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', expected = ''] = (hash || NOBODY).split('$');
  const key = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) });
  return timingSafeEqual(key, Buffer.from(expected, 'base64url')) && Boolean(hash);
}
