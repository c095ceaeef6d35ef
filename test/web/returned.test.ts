import { expect, test } from 'vitest';
import { returnText } from '../../web/components/returned.ts';
import { ownTime } from '../../web/format.ts';

const item = {
  game: 'rok',
  kingdom_id: 1042,
  kind: 'scan',
  state: 'done',
  price: 2.5,
  returned: 0,
  returns_at: null,
} as const;
const at = Date.UTC(2030, 0, 2, 12);

test('an item charged in full has no text about returns', () => {
  expect(returnText(item)).toBeNull();
  expect(returnText({ ...item, state: 'open' })).toBeNull();
});

test('an item without rows or automatic return has no text', () => {
  expect(returnText({ ...item, state: 'failed' })).toBeNull();
});

test('a failed item says that Repair is free and when its price is returned', () => {
  expect(returnText({ ...item, state: 'failed', returns_at: at })).toBe(
    `Repair is free. The price returns to the balance that paid it when you cancel, or automatically on ${ownTime(at)}.`,
  );
});

test('the returned and the outstanding amount are shown with the price', () => {
  expect(returnText({ ...item, returned: 1 })).toBe(
    '$1.00 of $2.50 was returned: you pay only for each hundred governors delivered.',
  );
  expect(returnText({ ...item, game: 'cod', returned: 1, returns_at: at })).toBe(
    '$1.00 of $2.50 was returned: you pay only for each hundred lords delivered. Repair is free. The price of what is still missing is returned automatically on ' +
      ownTime(at) +
      '.',
  );
  expect(returnText({ ...item, kind: 'history', returned: 1 })).toMatch(/no more governors of kingdom 1042 are stored/);
});

test('a cancelled item shows only its reason', () => {
  expect(returnText({ ...item, state: 'cancelled', returned: 2.5 })).toBeNull();
});
