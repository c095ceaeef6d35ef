import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { AppQueryClient } from '../../web/api/query-client.ts';

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
