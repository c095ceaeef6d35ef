import type { Env } from '../env.ts';
import { type Refusal, refusedFor } from '../errors.ts';

/** The platform's counters of calls. */

/** The limiters of wrangler.toml, each with its calls and seconds there. */
export type LimitName = {
  [Name in keyof Env]-?: Env[Name] extends RateLimit ? Name : never;
}[keyof Env];

/** Counts a call under a key; false once there were too many. */
export async function isWithin(env: Env, name: LimitName, key: string): Promise<boolean> {
  const { success } = await env[name].limit({ key });
  return success;
}

/** Calls that each limiter allows in a minute: the same as in wrangler.toml, which the Worker cannot read. */
export const LIMITS: Readonly<Record<LimitName, number>> = {
  LOGIN_ACCOUNT: 20,
  LOGIN_ADDRESS: 60,
  REGISTER_ADDRESS: 20,
  RESET_MAIL: 3,
  ORDER_USER: 240,
  DOWNLOAD_USER: 300,
  IMPORT_USER: 60,
  COMPARE_USER: 120,
  FLEET_GROUP: 3_000,
  NOTIFY_USER: 5,
  REPORT_USER: 5,
  SHARE_USER: 20,
  SEARCH_ADDRESS: 240,
  SCHEDULE_USER: 60,
  PAYMENT_USER: 120,
  DASHBOARD_ADDRESS: 120,
};
const SECONDS = 60;

/** What a call too many is told, programs by the fields of draft-ietf-httpapi-ratelimit-headers-10. */
export function tooMany(name: LimitName): Refusal {
  const policy = `"${name.toLowerCase().replaceAll('_', '-')}"`;
  return refusedFor(SECONDS, 'Too many tries. Please wait a minute, then try again.', undefined, {
    'ratelimit-policy': `${policy};q=${LIMITS[name]};w=${SECONDS}`,
    // The platform does not tell when the window began, so it is told whole.
    ratelimit: `${policy};r=0;t=${SECONDS}`,
  });
}

/** Counts a call under a key and refuses it once there were too many. */
export async function withinLimit(env: Env, name: LimitName, key: string): Promise<void> {
  if (!(await isWithin(env, name, key))) throw tooMany(name);
}
