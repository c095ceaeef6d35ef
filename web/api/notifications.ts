import { queryOptions } from '@tanstack/react-query';
import { dataOf } from './client.ts';
import { api } from './typed.ts';

/** How a user lets himself be told of finished orders. */

const fetchSettings = (signal?: AbortSignal) => dataOf(api.account.notifications.$get({}, { init: { signal } }));

/** `discord` is a hint of the webhook that is set, `trouble` why a way was switched off by itself. */
export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => fetchSettings(signal),
});

/** Changes what is given; an empty address forgets the webhook. @throws ApiError 400 with what is wrong with it. */
export const setNotifications = (settings: { by_mail?: boolean; discord_url?: string }) =>
  dataOf(api.account.notifications.$post({ json: settings }));

/** Writes to the webhook. @throws ApiError 409 where it is gone, 429, 503. */
export const testDiscord = () => dataOf(api.account.notifications.test.$post({}));
