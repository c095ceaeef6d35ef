import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { Answers } from '../../web/api/query-client.ts';

/** What a page shows once something was written while it still waited for its first answer. */

const queryKey = ['shares', '1'];
const client = new Answers();
afterEach(() => client.clear());

/** A call that is answered when the test says so. */
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

test('a first answer from before a write is not taken for the one after it', async () => {
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

test('a screen that is on its way and has nothing on it yet waits for the answer after a write', async () => {
  const { query, answer } = calls();
  const waiting = client.ensureQueryData(query);
  await client.invalidateQueries({ queryKey });
  await answer(0, 'before');
  await answer(1, 'after');
  expect(await waiting).toBe('after');
});

test('what was answered before is asked for once more, and what nobody looks at when it is wanted', async () => {
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
