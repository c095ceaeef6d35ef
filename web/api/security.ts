import { queryOptions } from '@tanstack/react-query';
import type { Scope } from '../../domain/accounts/scopes.ts';
import { apiBase, dataOf } from './client.ts';
import { api } from './typed.ts';

/** Registration, email verification, passwords, sessions, second factor and API keys. */

export const register = (form: {
  username: string;
  fullname: string;
  password: string;
  email: string;
  access_code: string;
}) => dataOf(api.account.create.$post({ json: form }));

/** Verifies an email address, once per token however often the page renders. */
export const verificationQuery = (token: string) =>
  queryOptions({
    queryKey: ['verify-email', token],
    queryFn: () => dataOf(api['verify-email'].$post({ json: { token } })),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

export const askReset = (email: string) => dataOf(api['password-reset'].$post({ json: { email } }));

export const resetPassword = (token: string, password: string) =>
  dataOf(api['password-reset'].confirm.$post({ json: { token, password } }));

export const acceptEula = (accepted: boolean, version: number) =>
  // The server rejects anything but true with a message, which the page shows if the box is not ticked.
  dataOf(api.eula.accept.$post({ json: { accepted: accepted as true, version } }));

export const changePassword = (form: { current_password: string; password: string; end_keys: boolean }) =>
  dataOf(api.account.password.$post({ json: form }));

export const changeEmail = (current_password: string, email: string) =>
  dataOf(api.account.email.$post({ json: { current_password, email } }));

export const stopEmailChange = (token: string) => dataOf(api['email-change'].stop.$post({ json: { token } }));

const fetchSessions = (signal?: AbortSignal) => dataOf(api.account.sessions.$get({}, { init: { signal } }));
export type Session = Awaited<ReturnType<typeof fetchSessions>>[number];

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => fetchSessions(signal),
});

export const endSession = (session_id: string) =>
  dataOf(api.account.sessions[':session_id'].$delete({ param: { session_id } }));

export const endOtherSessions = () => dataOf(api.account.sessions['end-others'].$post());

export const startTwoFactor = (current_password: string) =>
  dataOf(api.account['two-factor'].start.$post({ json: { current_password } }));

export const confirmTwoFactor = (code: string) => dataOf(api.account['two-factor'].confirm.$post({ json: { code } }));

export const endTwoFactor = (current_password: string, code: string) =>
  dataOf(api.account['two-factor'].end.$post({ json: { current_password, code } }));

const fetchKeys = (signal?: AbortSignal) => dataOf(api.account.keys.$get({}, { init: { signal } }));
export type ApiKey = Awaited<ReturnType<typeof fetchKeys>>[number];

export const keysQuery = queryOptions({ queryKey: ['api-keys'], queryFn: ({ signal }) => fetchKeys(signal) });

export const createKey = (form: { name: string; scopes: Scope[]; current_password: string; code?: string }) =>
  dataOf(api.account.keys.$post({ json: form }));

export const revokeKey = (key_id: string) => dataOf(api.account.keys[':key_id'].$delete({ param: { key_id } }));

const fetchActivity = (signal?: AbortSignal) => dataOf(api.account.activity.$get({}, { init: { signal } }));
export type ActivityEntry = Awaited<ReturnType<typeof fetchActivity>>[number];

export const activityQuery = queryOptions({
  queryKey: ['activity'],
  queryFn: ({ signal }) => fetchActivity(signal),
  staleTime: 0,
});

export const deleteAccount = (form: { current_password: string; username: string; code?: string }) =>
  dataOf(api.account.delete.$post({ json: form }));

/** URL of the export of all the user's data. */
export const exportAddress = () => `${apiBase()}/v1/account/export`;
