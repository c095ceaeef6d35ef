import { type Env, isLocal } from './env.ts';
import { keysOf } from './signing.ts';

/** What is open in a local copy only: a value of any of these in production is a mistake, or an attack. */
const LOCAL_ONLY: readonly string[] = ['STRIPE_API_BASE', 'DISCORD_API_BASE'];

const flawOfKeys = (env: Env): string | null => {
  try {
    keysOf(env);
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? 'SESSION_KEYS is not JSON.' : (error as Error).message;
  }
};

/** What is wrong with the configuration for its environment, or null. Production needs its secrets and no stand-ins. */
export function configurationFlaw(env: Env): string | null {
  const keys = flawOfKeys(env);
  if (keys || isLocal(env)) return keys;
  if (env.ENVIRONMENT !== 'production') return `ENVIRONMENT is '${env.ENVIRONMENT}', not 'production' or 'local'.`;
  const switches = env as unknown as Record<string, unknown>;
  const stray = LOCAL_ONLY.find((name) => switches[name]);
  if (stray) return `${stray} is for local copies only.`;
  if (!env.SITE_ORIGIN?.startsWith('https://')) return 'SITE_ORIGIN must begin with https://.';
  if (!env.EMAIL || !env.MAIL_FROM) return 'Mail is not set up: the binding EMAIL and MAIL_FROM are needed.';
  return null;
}
