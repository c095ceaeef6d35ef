import { message } from '../../domain/language/text.ts';
import { type Env, isLocal } from '../env.ts';
import { NotSendingNow, RecipientRefused } from '../models/messages/outbox.ts';

const HOST = 'https://discord.com';
const TIMEOUT_MS = 10_000;

/** Statuses that mean that a webhook was deleted or never existed. */
const GONE = [401, 403, 404];

const SHORTEST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 3_600_000;

/** Returns the wait requested by a 429 response, in ms. */
function waitOf(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'));
  return Math.min(Math.max(SHORTEST_WAIT_MS, seconds * 1000 || 0), LONGEST_WAIT_MS);
}

/** Returns Discord's address, or a local copy's stand-in. */
function baseOf({ ENVIRONMENT, DISCORD_API_BASE }: Pick<Env, 'ENVIRONMENT' | 'DISCORD_API_BASE'>): string {
  if (!DISCORD_API_BASE) return HOST;
  if (!isLocal({ ENVIRONMENT })) throw new Error('DISCORD_API_BASE is for local copies: it cannot be set here.');
  return DISCORD_API_BASE;
}

/** False in a local copy without a stand-in. */
export const sendsToDiscord = (env: Pick<Env, 'ENVIRONMENT' | 'DISCORD_API_BASE'>): boolean =>
  !isLocal(env) || !!env.DISCORD_API_BASE;

/**
 * Posts a message to a webhook (`<id>/<token>`). Mentions nobody and follows no redirects. A local copy without a
 * stand-in only logs it, as with mails.
 * @throws RecipientRefused if the webhook is gone, NotSendingNow if it is rate-limited, another error if a retry may
 * help.
 */
export async function postToDiscord(
  env: Pick<Env, 'ENVIRONMENT' | 'DISCORD_API_BASE'>,
  webhook: string,
  content: string,
): Promise<void> {
  if (!sendsToDiscord(env)) return console.info(`Mail to Discord: ${content}`);
  const response = await fetch(`${baseOf(env)}/api/webhooks/${webhook}?wait=true`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json' },
    // Flag 4 suppresses link previews.
    body: JSON.stringify({ username: 'Muster', content, allowed_mentions: { parse: [] }, flags: 4 }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (response.ok) return;
  if (GONE.includes(response.status))
    throw new RecipientRefused(message('Discord says that this webhook does not exist.'));
  if (response.status === 429)
    throw new NotSendingNow('Discord limits how often this webhook may write.', waitOf(response));
  throw new Error(`Discord answered ${response.status}.`);
}
