import { expect, test } from 'vitest';
import { countable, weightsOf, writtenWeights } from '../../../web/components/difference/written-weights.ts';
import { eventSearch } from '../../../web/components/events/event-search.ts';
import { untilNext } from '../../../web/components/events/use-refresh.ts';

const named = (search: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(eventSearch(search)).filter(([, value]) => value !== undefined));

test('search parameters keep valid values and drop the rest', () => {
  expect(
    named({ tab: '2', start: '1700000000000', end: 1700000600000, q: 7, home: '1206-2', size: '10', page: '3' }),
  ).toEqual({ tab: 2, start: 1700000000000, end: 1700000600000, q: '7', home: '1206-2', size: 10, page: 3 });
  expect(named({ tab: 1, page: 1, size: 50 })).toEqual({});
  expect(named({ tab: 4, start: -1, end: 'now', size: 20, page: 1.5, power: 0, who: 'all', open: {} })).toEqual({});
  expect(named({ ascending: 'true', embed: 1, who: 'idle', open: '20436276' })).toEqual({
    ascending: true,
    embed: true,
    who: 'idle',
    open: 20436276,
  });
});

test('weights are part of links; the event’s own are omitted', () => {
  const own = { killcount_t4: 10, killcount_t5: 20 };
  expect(writtenWeights({ killcount_t5: 20, killcount_t4: 10, deads: 0 }, own)).toBeUndefined();
  expect(writtenWeights({ killcount_t4: 10, killcount_t5: 30.5 }, own)).toBe('killcount_t4:10,killcount_t5:30.5');
  expect(weightsOf('killcount_t4:10,killcount_t5:30.5')).toEqual({ killcount_t4: 10, killcount_t5: 30.5 });
  expect(weightsOf('killcount_t4:10,__proto__:4,x:1001,y:a')).toEqual({ killcount_t4: 10 });
  expect(writtenWeights({ killcount_t4: 0 }, own)).toBe('none');
  expect(countable({ deads: 1, constructor: 5, gold: 2 }, (key) => key === 'deads')).toEqual({ deads: 1 });
  expect(countable({ constructor: 5 }, () => false)).toBeNull();
  expect(countable({}, () => false)).toEqual({});
  expect(weightsOf('none')).toEqual({});
  expect(weightsOf('nonsense')).toBeNull();
  expect(weightsOf(undefined)).toBeNull();
});

test('the countdown shows minutes below an hour, then whole hours', () => {
  expect(untilNext(0, 0)).toBe('any moment now');
  expect(untilNext(1, 0)).toBe('in 1 minute');
  expect(untilNext(59 * 60_000, 0)).toBe('in 59 minutes');
  expect(untilNext(60 * 60_000, 0)).toBe('in 1 hour');
  expect(untilNext(89 * 60_000, 0)).toBe('in 1 hour');
  expect(untilNext(90 * 60_000, 0)).toBe('in 2 hours');
});
