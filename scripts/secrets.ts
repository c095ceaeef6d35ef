import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Secrets of one local copy. In production they are set with `wrangler secret put`. */
export interface Secrets {
  /** JSON of the keys that sign sessions (worker/env.ts). */
  SESSION_KEYS: string;
  /** The bearer token of the reference agent's bot group. */
  FLEET_TOKEN: string;
}

const random = (): string => randomBytes(32).toString('base64url');

/** The secrets of the copy in that folder, made at its first start and readable by its owner only. */
export function secretsOf(stateDir: string): Secrets {
  const file = join(stateDir, 'secrets.json');
  if (!existsSync(file)) {
    const secrets: Secrets = {
      SESSION_KEYS: JSON.stringify({ current: 'k1', keys: { k1: random() } }),
      FLEET_TOKEN: random(),
    };
    writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Secrets;
}
