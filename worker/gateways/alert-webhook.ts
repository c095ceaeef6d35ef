import { type Env, isLocal } from '../env.ts';

/** The second alert channel to admins, independent of mail. */

const TIMEOUT_MS = 10_000;

/** Body of an alert: Discord reads `content`, Slack reads `text`, other receivers may read all of it. */
interface AlertMessage {
  state: 'trouble' | 'recovered';
  kind: string;
  text: string;
  /** Epoch ms. */
  since: number;
  /** Origin of the deployment concerned. */
  site: string;
}

/** True if there is a usable URL. Only a local copy may use plain HTTP. */
const hasAlertWebhook = (env: Pick<Env, 'ENVIRONMENT' | 'ALERT_WEBHOOK'>): boolean =>
  !!env.ALERT_WEBHOOK && (/^https:\/\//.test(env.ALERT_WEBHOOK) || isLocal(env));

/** Posts an alert; does nothing without a URL. @throws if the webhook does not accept it. */
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
