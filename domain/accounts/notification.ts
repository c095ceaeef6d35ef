import * as z from 'zod';
import { urlField, WEBHOOK_CHANNELS, WEBHOOKS, type WebhookChannel } from './webhooks.ts';

/** Settings of the notifications about finished orders and followed events: by mail, by the user's webhooks, or both. */

const webhookUrl = (channel: WebhookChannel) =>
  z
    .string()
    .trim()
    .max(300)
    .refine(
      (text) => text === '' || WEBHOOKS[channel].read(text) !== null,
      `must be the address of a ${WEBHOOKS[channel].name} webhook: ${WEBHOOKS[channel].looks}`,
    )
    .optional();

/** Addresses of webhooks. A missing one stays as it is; an empty one is removed. */
const urls = Object.fromEntries(WEBHOOK_CHANNELS.map((channel) => [urlField(channel), webhookUrl(channel)])) as Record<
  `${WebhookChannel}_url`,
  ReturnType<typeof webhookUrl>
>;

export const notificationSettings = z.object({
  by_mail: z.boolean().optional(),
  events_by_mail: z.boolean().optional().describe('Whether to tell changes in followed events by mail.'),
  events_by_webhook: z
    .boolean()
    .optional()
    .describe('Whether to tell changes in followed events by the webhooks that are set.'),
  ...urls,
});

/** Which webhook to test. */
export const testQuery = z.object({
  channel: z.enum(WEBHOOK_CHANNELS).default('discord'),
});
