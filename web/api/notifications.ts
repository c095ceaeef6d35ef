import { queryOptions } from '@tanstack/react-query';
import type { WebhookChannel } from '../../domain/accounts/webhooks.ts';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** How a user lets himself be told of finished orders. */

const fetchSettings = (signal?: AbortSignal) => dataOf(api.account.notifications.$get({}, { init: { signal } }));

/** Of each channel a hint of the webhook that is set; `trouble` is why a way was switched off by itself. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => fetchSettings(signal),
});

/** Changes what is given; an empty address forgets the webhook. @throws ApiError 400 with what is wrong with it. */
export const setNotifications = (settings: { by_mail?: boolean } & { [Field in `${WebhookChannel}_url`]?: string }) =>
  dataOf(api.account.notifications.$post({ json: settings }));

/** Writes to the webhook. @throws ApiError 409 where it is gone, 429, 503. */
export const testWebhook = (channel: WebhookChannel) =>
  dataOf(api.account.notifications.test.$post({ query: { channel } }));
