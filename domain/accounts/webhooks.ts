import type { FinishedOrder } from './finished-order.ts';
import { linesOf, outcomeOf } from './finished-order.ts';

/**
 * Where a user lets Muster write beside his mails: by the address of a webhook, which is a secret. Each is said once, in
 * `WEBHOOKS`; beside it a channel has a column of its own (worker/db/security.ts) and a gateway that posts.
 */

interface Webhook {
  name: string;
  /** How an address looks. */
  looks: string;
  /** Where a user gets one. */
  about: string;
  /** What of an address is its own and kept, or null where the text is none. Whatever is called is built from a fixed host. */
  read: (address: string) => string | null;
  /** What its owner sees of it again: enough to tell it from another, too little to write with. */
  hint: (webhook: string) => string;
  /** The message that tells of a finished order. */
  finished: (order: FinishedOrder) => string;
}

/** Discord's own hosts, exactly. */
const DISCORD_HOSTS = ['discord.com', 'discordapp.com'];

/** `<id>/<token>` of an address of a webhook on Discord's host. */
function discordWebhook(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, host, pathname, username, password, search, hash } = new URL(text);
  if (protocol !== 'https:' || !DISCORD_HOSTS.includes(host)) return null;
  if (username || password || search || hash) return null;
  return /^\/api\/webhooks\/(\d{5,25}\/[\w-]{20,120})$/.exec(pathname)?.[1] ?? null;
}

/** The longest message that Discord takes (its API's documentation, "Execute Webhook"). */
const MAX_DISCORD = 2000;

/** A text as Discord shows it literally: nothing in it is bold, a link, a quote or a mention. */
export const escapeDiscord = (text: string): string =>
  text.replace(/[\r\n\t]+/g, ' ').replace(/[\\*_~`|>#[\]()<@:-]/g, '\\$&');

/** The text of the Discord message, cut to what Discord takes; names in it are shown as they are. */
export function finishedDiscord(order: FinishedOrder): string {
  const tail = `\n${order.address}`;
  const head = `**Order ${order.order_id} is finished.** ${outcomeOf(order)}\n${linesOf(order, escapeDiscord).join('\n')}`;
  return head.slice(0, MAX_DISCORD - tail.length).replace(/\\$/, '') + tail;
}

export const WEBHOOKS = {
  discord: {
    name: 'Discord',
    looks: 'https://discord.com/api/webhooks/…',
    about: 'In your channel’s settings, under Integrations, make a webhook and copy its address.',
    read: discordWebhook,
    hint: (webhook) => `discord.com/api/webhooks/…${webhook.split('/')[0]?.slice(-4)}/…`,
    finished: finishedDiscord,
  },
} as const satisfies Readonly<Record<string, Webhook>>;

export type WebhookChannel = keyof typeof WEBHOOKS;
export const WEBHOOK_CHANNELS = Object.keys(WEBHOOKS) as [WebhookChannel, ...WebhookChannel[]];

/** The ways on which messages go out. */
export const CHANNELS = ['mail', ...WEBHOOK_CHANNELS] as const;

/** A value for each channel with a webhook. */
export const byWebhook = <Value>(make: (channel: WebhookChannel) => Value): Record<WebhookChannel, Value> =>
  Object.fromEntries(WEBHOOK_CHANNELS.map((channel) => [channel, make(channel)])) as Record<WebhookChannel, Value>;

/** The field of the settings that sets a channel's webhook. */
export const urlField = <Channel extends WebhookChannel>(channel: Channel): `${Channel}_url` => `${channel}_url`;
