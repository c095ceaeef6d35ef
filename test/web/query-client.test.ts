import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, it, test, vi } from 'vitest';
import { AppQueryClient } from '../../web/api/query-client.ts';
import './page.ts';
import { accountQuery } from '../../web/api/account.ts';
import { boardDaysQuery, boardPartQuery, boardQuery, rowDaysQuery } from '../../web/api/boards.ts';
import { comparedQuery } from '../../web/api/compare.ts';
import {
  eventGovernorQuery,
  eventLinesQuery,
  eventListQuery,
  eventPageQuery,
  eventTableQuery,
} from '../../web/api/events.ts';
import { followedChangesQuery, followingQuery } from '../../web/api/following.ts';
import { eulaQuery } from '../../web/api/licenses.ts';
import { openApiQuery } from '../../web/api/openapi.ts';
import { entriesQuery } from '../../web/api/order-actions.ts';
import { ordersQuery } from '../../web/api/orders.ts';
import { outlooksQuery } from '../../web/api/outlooks.ts';
import { ownGovernorsQuery } from '../../web/api/own-governors.ts';
import { allianceQuery, governorQuery, kingdomQuery, searchQuery } from '../../web/api/pages.ts';
import { productsQuery } from '../../web/api/products.ts';
import { combinedQuery, pageQuery, rowsQuery } from '../../web/api/results.ts';
import { activityQuery, verificationQuery } from '../../web/api/security.ts';
import { accountSharesQuery, sharedRowsQuery } from '../../web/api/shares.ts';
import { statsQuery } from '../../web/api/stats.ts';
import { textQuery } from '../../web/api/texts.ts';

/** What a page shows after a write, if its first answer was still pending. */

const queryKey = ['shares', '1'];
const client = new AppQueryClient();
afterEach(() => client.clear());

/** A call that the test answers. */
function calls() {
  const answers: ((data: string) => void)[] = [];
  const signals: AbortSignal[] = [];
  const queryFn = ({ signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return new Promise<string>((resolve) => answers.push(resolve));
  };
  const answer = async (index: number, data: string) => {
    answers[index]?.(data);
    await new Promise((settle) => setTimeout(settle));
  };
  return { query: { queryKey, queryFn, retry: false }, signals, answer };
}

test('a first answer from before a write does not count as the one after it', async () => {
  const { query, signals, answer } = calls();
  const observer = new QueryObserver(client, query);
  const end = observer.subscribe(() => undefined);
  const waiting = client.ensureQueryData(query);
  const written = vi.fn();
  void client.invalidateQueries({ queryKey: ['shares'] }).then(written);
  await answer(0, 'before');
  expect(observer.getCurrentResult().data).toBeUndefined();
  expect(written).not.toHaveBeenCalled();
  await answer(1, 'after');
  expect(observer.getCurrentResult().data).toBe('after');
  expect(await waiting).toBe('after');
  expect(written).toHaveBeenCalledTimes(1);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  end();
});

test('a page still loading waits for the answer after a write', async () => {
  const { query, answer } = calls();
  const waiting = client.ensureQueryData(query);
  await client.invalidateQueries({ queryKey });
  await answer(0, 'before');
  await answer(1, 'after');
  expect(await waiting).toBe('after');
});

test('invalidation refetches answered queries, and unused ones when needed again', async () => {
  const { query, signals, answer } = calls();
  const first = client.fetchQuery(query);
  await answer(0, 'before');
  await first;
  await client.invalidateQueries({ queryKey });
  expect(signals).toHaveLength(1);
  const observer = new QueryObserver(client, query);
  const end = observer.subscribe(() => undefined);
  await answer(1, 'after');
  expect(observer.getCurrentResult().data).toBe('after');
  void client.invalidateQueries({ queryKey: ['orders'] });
  expect(signals).toHaveLength(2);
  end();
});

/** How long an answer stays fresh, and how long an unused one stays cached, in seconds. */

const board = { kind: 'governor', game: 'rok', metric: 'power' } as const;
const range = { start: 1, end: 2 };
const FOR_EVER = Number.POSITIVE_INFINITY;

it.each<[string, object, number, number?]>([
  ['the account', accountQuery, 60],
  ['boards', boardQuery(board), 600],
  ['first rows of boards', boardPartQuery(board), 600],
  ['days of boards', boardDaysQuery(board), 600],
  ['a board row’s history', rowDaysQuery(board, 1, '2026-03-01'), 600],
  ['a comparison', comparedQuery({ from: 'a', to: 'b' }), 300],
  ['an event’s page', eventPageQuery('1', {}), FOR_EVER],
  ['an event’s table', eventTableQuery('1', range), FOR_EVER, 300],
  ['an event’s lines', eventLinesQuery('1', range, []), FOR_EVER],
  ['a governor of an event', eventGovernorQuery('1', range, 1), FOR_EVER],
  ['events', eventListQuery, 60],
  ['the API’s description', openApiQuery, 3600],
  ['entries of an order', entriesQuery(1), FOR_EVER],
  ['orders', ordersQuery(), 2],
  ['outlooks of kingdoms', outlooksQuery('p', '1'), 60],
  ['own governors', ownGovernorsQuery, 300],
  ['what is followed', followingQuery, 300],
  ['changes in it', followedChangesQuery, 60],
  ['a governor', governorQuery('1', 'rok', '30'), 60],
  ['a kingdom', kingdomQuery('1', 'rok', '30'), 60],
  ['an alliance', allianceQuery('1', 'A', 'rok'), 60],
  ['a search', searchQuery('a'), 60],
  ['products', productsQuery, 300],
  ['rows', rowsQuery('i', { all: false, edition: 1 }), FOR_EVER, 60],
  ['a page of rows', pageQuery('1', { page: 1, sort: null, ascending: false, edition: 1 }), FOR_EVER],
  ['an order’s sums', combinedQuery('1'), 10],
  ['the licence', eulaQuery(), 3600],
  ['an email verification', verificationQuery('t'), FOR_EVER],
  ['account activity', activityQuery, 0],
  ['links', accountSharesQuery, 0],
  ['rows of a share link', sharedRowsQuery('t'), FOR_EVER, 60],
  ['global statistics', statsQuery, 600],
  ['a text', textQuery('privacy'), 300],
])('%s', (_, query, fresh, kept) => {
  const { staleTime = 0, gcTime } = query as { staleTime?: number; gcTime?: number };
  expect([staleTime / 1000, gcTime === undefined ? undefined : gcTime / 1000]).toEqual([fresh, kept]);
});
