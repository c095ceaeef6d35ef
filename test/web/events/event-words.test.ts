import { expect, test } from 'vitest';
import { everyText } from '../../../web/components/events/event-words.ts';
import { untilNext } from '../../../web/components/events/use-refresh.ts';

const MINUTE = 60_000;

test('a refresh rate is told in minutes under an hour, otherwise in hours, rounded', () => {
  expect([1, 5, 59, 60, 89, 90, 149, 1440].map(everyText)).toEqual([
    'every minute',
    'every 5 minutes',
    'every 59 minutes',
    'every hour',
    'every hour',
    'every 2 hours',
    'every 2 hours',
    'every 24 hours',
  ]);
});

test('so is what is left until the next one', () => {
  expect([0, 1, 59, 60, 89, 90].map((minutes) => untilNext(minutes * MINUTE, 0))).toEqual([
    'any moment now',
    'in 1 minute',
    'in 59 minutes',
    'in 1 hour',
    'in 1 hour',
    'in 2 hours',
  ]);
});
