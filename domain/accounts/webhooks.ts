import { cut } from '../cut.ts';
import { type EventNews, newsLines } from '../events/event-news.ts';
import { message, t } from '../language/text.ts';
import type { FinishedOrder } from './finished-order.ts';
import { itemLines, outcomeOf } from './finished-order.ts';

/**
 * Chat services that Muster posts to by webhook, in addition to mail. A webhook's address is a secret. Each service is
 * described once in `WEBHOOKS`; it also needs a column in worker/db/security.ts and a gateway that posts.
 */

interface Webhook {
  name: string;
  /** Example of an address. */
  looks: string;
  /** How a user gets one. */
  about: string;
  /** Returns the part of an address that is stored, or null if it is invalid. Calls put it behind a fixed host. */
  read: (address: string) => string | null;
  /** A hint for the owner: enough to recognise the webhook, too little to post with. */
  hint: (webhook: string) => string;
  /** Returns the message about a finished order. */
  finished: (order: FinishedOrder) => string;
  /** Returns the message about what changed in an event. */
  changed: (news: EventNews) => string;
}

/** Only these hosts are accepted. */
const DISCORD_HOSTS = ['discord.com', 'discordapp.com'];

/** Returns `<id>/<token>` from the address of a Discord webhook, or null. */
function discordWebhook(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, host, pathname, username, password, search, hash } = new URL(text);
  if (protocol !== 'https:' || !DISCORD_HOSTS.includes(host)) return null;
  if (username || password || search || hash) return null;
  return /^\/api\/webhooks\/(\d{5,25}\/[\w-]{20,120})$/.exec(pathname)?.[1] ?? null;
}

/** The longest message that Discord accepts (API documentation, "Execute Webhook"). */
const MAX_DISCORD = 2000;

/** Escapes a text so that Discord shows no formatting, link, quote or mention. */
export const escapeDiscord = (text: string): string =>
  text.replace(/[\r\n\t]+/g, ' ').replace(/[\\*_~`|>#[\]()<@:-]/g, '\\$&');

/** Returns the Discord message, cut to `MAX_DISCORD`. */
export function finishedDiscord(order: FinishedOrder): string {
  const title = t('Order {id} is finished.', { id: String(order.order_id) });
  const head = `**${title}** ${outcomeOf(order)}\n${itemLines(order, escapeDiscord).join('\n')}`;
  return cutDiscord(head, order.address);
}

/** Returns the Discord message about what changed in an event, cut to `MAX_DISCORD`. */
export const changedDiscord = (news: EventNews): string =>
  cutDiscord(
    `**${escapeDiscord(news.title)}**\n${escapeDiscord(t('Scan of {when}', { when: news.scan }))}\n${newsLines(news, escapeDiscord).join('\n')}`,
    news.address,
  );

/** Cuts a message so that the address after it fits. */
function cutDiscord(text: string, address: string): string {
  const tail = `\n${address}`;
  return cut(text, MAX_DISCORD - tail.length).replace(/\\$/, '') + tail;
}

export const WEBHOOKS = {
  discord: {
    name: 'Discord',
    looks: 'https://discord.com/api/webhooks/…',
    about: message('In your channel’s settings, under Integrations, make a webhook and copy its address.'),
    read: discordWebhook,
    hint: (webhook) => `discord.com/api/webhooks/…${webhook.split('/')[0]?.slice(-4)}/…`,
    finished: finishedDiscord,
    changed: changedDiscord,
  },
} as const satisfies Readonly<Record<string, Webhook>>;

export type WebhookChannel = keyof typeof WEBHOOKS;
export const WEBHOOK_CHANNELS = Object.keys(WEBHOOKS) as [WebhookChannel, ...WebhookChannel[]];

/** Channels that messages go out on. */
export const CHANNELS = ['mail', ...WEBHOOK_CHANNELS] as const;

/** Makes a value for each webhook channel. */
export const byWebhook = <Value>(make: (channel: WebhookChannel) => Value): Record<WebhookChannel, Value> =>
  Object.fromEntries(WEBHOOK_CHANNELS.map((channel) => [channel, make(channel)])) as Record<WebhookChannel, Value>;

/** Returns the settings field that holds a channel's webhook. */
export const urlField = <Channel extends WebhookChannel>(channel: Channel): `${Channel}_url` => `${channel}_url`;
