import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readState, writeState } from './state.ts';

/** Secrets of one local copy. In production they are set with `wrangler secret put`. */
export interface Secrets {
  /** JSON of the keys that sign sessions (worker/env.ts). */
  SESSION_KEYS: string;
  /** Bearer token of the reference agent's bot group. */
  FLEET_TOKEN: string;
}

const random = (): string => randomBytes(32).toString('base64url');

const areSecrets = (value: unknown): value is Secrets => {
  const { SESSION_KEYS, FLEET_TOKEN } = (value ?? {}) as Partial<Secrets>;
  return typeof SESSION_KEYS === 'string' && SESSION_KEYS !== '' && typeof FLEET_TOKEN === 'string';
};

/**
 * Returns the secrets of the copy in a folder. They are generated on its first start and readable by its owner only.
 */
export function secretsOf(stateDir: string): Secrets {
  const file = join(stateDir, 'secrets.json');
  const kept = readState(file, areSecrets, {
    lost: 'the keys of this copy are',
    remedy:
      'Delete it and start again with new ones: everybody signs in anew, and sets up second factors and Discord anew.',
  });
  if (kept) return kept;
  const secrets: Secrets = {
    SESSION_KEYS: JSON.stringify({ current: 'k1', keys: { k1: random() } }),
    FLEET_TOKEN: random(),
  };
  writeState(file, secrets, 0o600);
  return secrets;
}
