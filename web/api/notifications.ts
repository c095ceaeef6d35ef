import { queryOptions } from '@tanstack/react-query';
import type { WebhookChannel } from '../../domain/accounts/webhooks.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** How the user is notified of finished orders and of changes in events that they follow. */

const fetchSettings = (signal?: AbortSignal) => dataOf(api.account.notifications.$get({}, { init: { signal } }));

/** Notification settings with a hint of each channel's webhook. `trouble` says why a channel was turned off. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => fetchSettings(signal),
});

export type Notifications = Awaited<ReturnType<typeof fetchSettings>>;

/** Changes the given settings; an empty URL removes the webhook. @throws ApiError 400 if the URL is invalid. */
export const setNotifications = (
  settings: Partial<Record<'by_mail' | 'events_by_mail' | 'events_by_webhook', boolean>> & {
    [Field in `${WebhookChannel}_url`]?: string;
  },
) => dataOf(api.account.notifications.$post({ json: settings }));

/** Sends a test message to the webhook. @throws ApiError 409 if the webhook no longer exists, 429, 503. */
export const testWebhook = (channel: WebhookChannel) =>
  dataOf(api.account.notifications.test.$post({ query: { channel } }));
