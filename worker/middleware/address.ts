import type { Context } from 'hono';
import { networkOf } from '../../domain/accounts/network.ts';
import type { Env } from '../env.ts';
import { withinLimit } from '../gateways/rate-limits.ts';

/** Returns the caller's IP address, or an empty string without Cloudflare in front. */
export const addressOf = (context: Pick<Context, 'req'>): string => context.req.header('cf-connecting-ip') ?? '';

/** Returns the caller's network as a rate limit key, or an empty string without Cloudflare in front. */
export const callerNetwork = (context: Pick<Context, 'req'>): string => networkOf(addressOf(context));

/**
 * Counts a call whose public answer has to be computed. Refuses the caller above their limit; without Cloudflare in front
 * there is none.
 */
export async function countCaller(context: Pick<Context, 'req'> & { env: Env }): Promise<void> {
  const network = callerNetwork(context);
  if (network) await withinLimit(context.env, 'DASHBOARD_ADDRESS', network);
}
