import { type Env, isLocal } from '../env.ts';

/** The second channel to the admins, which shares nothing with mail. */

const TIMEOUT_MS = 10_000;

/** What a webhook is told: Discord reads `content`, Slack reads `text`, anything else may read all of it. */
export interface AlertMessage {
  state: 'trouble' | 'recovered';
  kind: string;
  text: string;
  /** Epoch milliseconds. */
  since: number;
  /** Which deployment it is about. */
  site: string;
}

/** True if there is an address to post to. Only a local copy may post without TLS. */
const hasAlertWebhook = (env: Pick<Env, 'ENVIRONMENT' | 'ALERT_WEBHOOK'>): boolean =>
  !!env.ALERT_WEBHOOK && (/^https:\/\//.test(env.ALERT_WEBHOOK) || isLocal(env));

/** Posts an alert; does nothing without an address. @throws if it was not taken. */
export async function postAlert(env: Pick<Env, 'ENVIRONMENT' | 'ALERT_WEBHOOK'>, message: AlertMessage): Promise<void> {
  if (!env.ALERT_WEBHOOK || !hasAlertWebhook(env)) return;
  const title = message.state === 'trouble' ? 'Trouble' : 'Recovered';
  const content = `${title}: ${message.kind} at ${message.site}\n${message.text}`.slice(0, 1900);
  const response = await fetch(env.ALERT_WEBHOOK, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...message, content, text: content, about: message.text, allowed_mentions: { parse: [] } }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`The alert webhook answered ${response.status}.`);
}
