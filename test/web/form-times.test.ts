import { expect, test } from 'vitest';
import { parseTime, timeText } from '../../web/form-times.ts';

test('times of forms are in UTC', () => {
  expect(parseTime('2026-03-01T12:00')).toBe(Date.UTC(2026, 2, 1, 12));
  expect(parseTime('2026-03-01 12:00')).toBe(Date.UTC(2026, 2, 1, 12));
  expect(parseTime('1 March')).toBeNull();
  expect(parseTime('2026-13-01 12:00')).toBeNull();
  expect(parseTime('2026-02-30 12:00')).toBeNull();
  expect(parseTime('2026-03-01')).toBeNull();
  expect(parseTime('20262-03-01T12:00')).toBeNull();
  expect(timeText(Date.UTC(2026, 2, 1, 12))).toBe('2026-03-01T12:00');
});
