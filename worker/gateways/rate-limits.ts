import type { Env } from '../env.ts';
import { type Refusal, tooOften } from '../errors.ts';

/** Cloudflare's rate limiters, which count by location of its network. */

/** Names of the limiters in wrangler.toml. */
export type LimitName = {
  [Name in keyof Env]-?: Env[Name] extends RateLimit ? Name : never;
}[keyof Env];

/** Counts a call under a key. Returns false above the limit. */
export async function isWithin(env: Env, name: LimitName, key: string): Promise<boolean> {
  const { success } = await env[name].limit({ key });
  return success;
}

/** Calls per minute of each limiter. Must equal wrangler.toml, which the Worker cannot read. */
export const LIMITS: Readonly<Record<LimitName, number>> = {
  LOGIN_ADDRESS: 60,
  REGISTER_ADDRESS: 20,
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

/** Returns the refusal above a limit. `times`: calls that the limiter counts as one. */
export const tooMany = (name: LimitName, times = 1): Refusal =>
  tooOften(name.toLowerCase().replaceAll('_', '-'), times * LIMITS[name]);

/** Counts a call under a key and refuses it above the limit. */
export async function withinLimit(env: Env, name: LimitName, key: string): Promise<void> {
  if (!(await isWithin(env, name, key))) throw tooMany(name);
}
