import { afterEach, expect, test } from 'vitest';
import { addCatalogue, keyOf } from '../../domain/language/text.ts';
import { NOBODY_FOUND, NOT_DELIVERED, NOT_REPAIRED, reasonText, UNREACHABLE } from '../../domain/orders/reasons.ts';
import { speak } from '../support/speak.ts';

afterEach(() => speak('en'));

test('a stored reason is told in the reader’s language, also with why its item was given up', () => {
  speak('ko');
  const messages = { [NOBODY_FOUND]: '아무도 없음', [UNREACHABLE]: '봇 없음', [NOT_REPAIRED]: '하루 지남' };
  addCatalogue('ko', {
    messages: Object.fromEntries(Object.entries(messages).map(([english, korean]) => [keyOf(english), korean])),
  });
  expect(reasonText(NOBODY_FOUND)).toBe('아무도 없음');
  const before = 'Bots found no lord in server 7, so the price is back in the balance that paid it.';
  expect(reasonText(before)).toBe('아무도 없음');
  expect(reasonText(NOT_REPAIRED)).toBe('하루 지남');
  expect(reasonText(`${UNREACHABLE} ${NOT_REPAIRED}`)).toBe('봇 없음 하루 지남');
  expect(reasonText(`A bot’s own words. ${NOT_REPAIRED}`)).toBe('A bot’s own words. 하루 지남');
  speak('en');
  expect(reasonText(`${UNREACHABLE} ${NOT_DELIVERED}`)).toBe(`${UNREACHABLE} ${NOT_DELIVERED}`);
});
