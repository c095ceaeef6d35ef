import * as z from 'zod';

/** Telling a user that his order is finished: by mail, by a Discord webhook of his own. */

/** Discord's own hosts, exactly. */
const DISCORD_HOSTS = ['discord.com', 'discordapp.com'];

/**
 * The part of a webhook's address that is its own (`<id>/<token>`), or null where the text is no address of a webhook on
 * Discord's host. Only this part is kept: whatever is called later is built from a fixed host.
 */
export function webhookOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, host, pathname, username, password, search, hash } = new URL(text);
  if (protocol !== 'https:' || !DISCORD_HOSTS.includes(host)) return null;
  if (username || password || search || hash) return null;
  return /^\/api\/webhooks\/(\d{5,25}\/[\w-]{20,120})$/.exec(pathname)?.[1] ?? null;
}

/** A webhook as its owner may see it again: enough to tell it from another, too little to write with. */
export const hintOf = (webhook: string): string => `discord.com/api/webhooks/…${webhook.split('/')[0]?.slice(-4)}/…`;

export const notificationSettings = z.object({
  by_mail: z.boolean().optional(),
  /** Left out, it stays; empty, it goes. */
  discord_url: z
    .string()
    .trim()
    .max(300)
    .refine(
      (text) => text === '' || webhookOf(text) !== null,
      'must be the address of a Discord webhook: https://discord.com/api/webhooks/…',
    )
    .optional(),
});

/** The longest message that Discord takes (its API's documentation, "Execute Webhook"). */
const MAX_DISCORD = 2000;

/** A text as Discord shows it literally: nothing in it is bold, a link, a quote or a mention. */
export const escapeDiscord = (text: string): string =>
  text.replace(/[\r\n\t]+/g, ' ').replace(/[\\*_~`|>#[\]()<@:-]/g, '\\$&');

/** What is told of a finished order. */
export interface FinishedOrder {
  order_id: number;
  item_count: number;
  /** How many items have results. */
  done_count: number;
  /** The first items, in their order: 'Kingdom 1001' and why it has no results, or null. */
  items: { name: string; flaw: string | null }[];
  /** Where its results are shown. */
  address: string;
}

const outcomeOf = ({ item_count, done_count }: FinishedOrder): string =>
  item_count === 1
    ? done_count === 1
      ? 'The scan has results.'
      : 'The scan has no results.'
    : `${done_count} of ${item_count} scans have results.`;

const linesOf = (order: FinishedOrder, write: (text: string) => string): string[] => {
  const more = order.item_count - order.items.length;
  return [
    ...order.items.map(({ name, flaw }) => `${write(name)}: ${flaw === null ? 'done' : write(flaw)}`),
    ...(more > 0 ? [`and ${more} more`] : []),
  ];
};

/** The text of the mail. */
export const finishedText = (order: FinishedOrder): string =>
  `${outcomeOf(order)}\n\n${linesOf(order, (text) => text).join('\n')}\n\n${order.address}`;

/** The text of the Discord message, cut to what Discord takes; names in it are shown as they are. */
export function finishedDiscord(order: FinishedOrder): string {
  const tail = `\n${order.address}`;
  const head = `**Order ${order.order_id} is finished.** ${outcomeOf(order)}\n${linesOf(order, escapeDiscord).join('\n')}`;
  return head.slice(0, MAX_DISCORD - tail.length).replace(/\\$/, '') + tail;
}
