import { expect, test } from 'vitest';
import type { ListedEvent } from '../../../web/api/events.ts';
import { leadOf } from '../../../web/components/events/event-words.ts';

const listed = (snapshots: number, ...dkp: (number | null)[]) =>
  ({ snapshots, camps: dkp.map((each, camp) => ({ name: `Camp ${camp}`, dkp: each })) }) as ListedEvent;

test('the lead of an event is the difference to the second camp', () => {
  expect(leadOf(listed(2, 5, 12, null))).toEqual({ name: 'Camp 1', by: 7 });
});

test('no camp leads after one scan, on a tie, or alone', () => {
  expect(leadOf(listed(1, 5, 12))).toBeNull();
  expect(leadOf(listed(1, 0, 0))).toBeNull();
  expect(leadOf(listed(3, 4, 4))).toBeNull();
  expect(leadOf(listed(3, 4, null))).toBeNull();
});
