import { expect, test } from 'vitest';
import { countable, weightsOf, writtenWeights } from '../../../web/components/difference/written-weights.ts';
import { untilNext } from '../../../web/components/events/use-refresh.ts';

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
