import type { Context } from 'hono';
import { networkOf } from '../../domain/accounts/network.ts';

/** Returns the caller's IP address, or an empty string without Cloudflare in front. */
export const addressOf = (context: Pick<Context, 'req'>): string => context.req.header('cf-connecting-ip') ?? '';

/** Returns the caller's network as a rate limit key, or an empty string without Cloudflare in front. */
export const callerNetwork = (context: Pick<Context, 'req'>): string => networkOf(addressOf(context));
