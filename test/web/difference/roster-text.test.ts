import { expect, test } from 'vitest';
import { rosterOf, rosterText } from '../../../web/routes/_signed-in/compare/-roster-text.ts';

test('a roster is read from csv, from a pasted sheet, and reads back as it was', () => {
  const entries = [
    { governor_id: 11, role: 'main' as const, main_id: null, note: 'leader, of all' },
    { governor_id: 12, role: 'farm' as const, main_id: 11, note: '' },
    { governor_id: 13, role: 'exempt' as const, main_id: null, note: '' },
  ];
  expect(rosterOf('governor_id,role,main_id,note\n11,main,,leader, of all\n12;farm;11\n\n13\tExempt')).toEqual(entries);
  expect(rosterOf(rosterText(entries))).toEqual(entries);
});

test('a line that cannot be read is named', () => {
  expect(() => rosterOf('11,main\nx,farm,11')).toThrow("Line 2: 'x' is no id.");
  expect(() => rosterOf('11,boss')).toThrow("Line 1: 'boss' is no role. Roles are main, farm, left, exempt.");
  expect(() => rosterOf('12,farm,me')).toThrow("Line 1: 'me' is no id of a main.");
  expect(() => rosterOf('0,main')).toThrow("Line 1: '0' is no id.");
});
