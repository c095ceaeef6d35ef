import type { Env } from '../env.ts';
import { Refusal } from '../errors.ts';

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

/** What a call too many is told. */
export const tooMany = (): Refusal => new Refusal('too_many', 'Too many tries. Please wait a minute, then try again.');

/** Counts a call under a key and refuses it once there were too many. */
export async function withinLimit(env: Env, name: LimitName, key: string): Promise<void> {
  if (!(await isWithin(env, name, key))) throw tooMany();
}
