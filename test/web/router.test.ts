import './page.ts';
import { MutationObserver, notifyManager } from '@tanstack/react-query';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../web/api/client.ts';
import { eventually } from '../support/eventually.ts';

/** Reactions to answers that arrive at unusual times. */

vi.mock('uplot', () => ({ default: class {} }));
vi.mock('uplot/dist/uPlot.min.css', () => ({}));
vi.stubGlobal('self', globalThis);
const history = { state: null, pushState: () => undefined, replaceState: () => undefined };
const { origin } = location;
const addEventListener = () => undefined;
vi.stubGlobal('window', Object.assign(new EventTarget(), { origin, location, history, scrollTo: () => undefined }));
vi.stubGlobal('history', history);
vi.stubGlobal('addEventListener', addEventListener);
vi.stubGlobal('document', { ...document, addEventListener });
afterAll(() => {
  notifyManager.setScheduler((tell) => setTimeout(tell));
  vi.unstubAllGlobals();
});

const { accountQuery } = await import('../../web/api/account.ts');
const { createApp } = await import('../../web/router.tsx');

/** A page of user ash with the time the account was loaded, and a write that `answer` completes. */
function page() {
  const { client, router } = createApp();
  const looked = vi.spyOn(router, 'invalidate').mockResolvedValue(undefined);
  const known = (user: string | null, updatedAt: number) =>
    client.setQueryData(accountQuery.queryKey, (user && { user }) as never, { updatedAt });
  known('ash', 1000);
  const write = () => {
    const { promise, reject } = Promise.withResolvers();
    const sent = new MutationObserver(client, { mutationFn: () => promise }).mutate();
    return async (error: Error) => {
      reject(error);
      await sent.catch(() => undefined);
    };
  };
  const user = () => client.getQueryData(accountQuery.queryKey)?.user ?? null;
  return { client, looked, known, write, user };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 5000 });
  return () => vi.useRealTimers();
});

const signedOut = new ApiError('Please sign in.', 401);

test('an ended session is recognized from any answer', async () => {
  const { client, looked, write, user } = page();
  await write()(signedOut);
  expect([user(), looked.mock.calls.length]).toEqual([null, 1]);
  await client
    .fetchQuery({ queryKey: ['orders'], retry: false, queryFn: () => Promise.reject(signedOut) })
    .catch(() => undefined);
  expect(looked).toHaveBeenCalledTimes(2);
});

test('a late answer to an earlier session’s write signs nobody out who has signed in since', async () => {
  const { looked, known, write, user } = page();
  const answer = write();
  known(null, 6000);
  known('ash', 7000);
  await answer(signedOut);
  expect([user(), looked.mock.calls.length]).toEqual(['ash', 0]);
});

test('an answer that nothing is there makes the admin pages ask who is signed in', async () => {
  const nothing = new ApiError('There is nothing at this address.', 404);
  const asks = async (path: string) => {
    Object.assign(window, { location: new URL(path, origin) });
    const { client, write } = page();
    Object.assign(window, { location });
    await write()(nothing);
    return client.getQueryState(accountQuery.queryKey)?.isInvalidated;
  };
  expect([await asks('/admin/bots'), await asks('/orders')]).toEqual([true, false]);
});

test.each([
  ['asking for a code', new ApiError('Which code?', 401, 'two_factor')],
  ['for another reason', new ApiError('Not now.', 503)],
  ['without an answer', new Error('Choose a file first.')],
])('a failure %s keeps the user signed in', async (_, error) => {
  const { looked, write, user } = page();
  await write()(error);
  expect([user(), looked.mock.calls.length]).toEqual(['ash', 0]);
});

test('results of a click render before the next event, others in their own task', async () => {
  page();
  const told: string[] = [];
  const tell = notifyManager.batchCalls((what: string) => told.push(what));
  vi.stubGlobal('event', new Event('click'));
  tell('pressed');
  await Promise.resolve();
  expect(told).toEqual(['pressed']);
  vi.stubGlobal('event', undefined);
  tell('answered');
  await Promise.resolve();
  expect(told).toEqual(['pressed']);
  await eventually(() => expect(told).toEqual(['pressed', 'answered']));
});
