import { afterEach, expect, test } from 'vitest';
import { NOBODY_FOUND, NOT_DELIVERED, NOT_REPAIRED, reasonText, UNREACHABLE } from '../../domain/orders/reasons.ts';
import { readCatalogue } from '../../scripts/messages/catalogues.ts';
import { speak } from '../support/speak.ts';
import { speakWholly } from '../support/speak-wholly.ts';

afterEach(() => speak('en'));

test('a stored reason is told in the reader’s language, also with why its item was given up', () => {
  speakWholly('ko');
  const korean = readCatalogue('ko');
  const of = (reason: string) => korean.get(reason)?.text ?? '';
  expect(of(NOBODY_FOUND)).toMatch(/[가-힣]/);
  expect(reasonText(NOBODY_FOUND)).toBe(of(NOBODY_FOUND));
  const before = 'Bots found no lord in server 7, so the price is back in the balance that paid it.';
  expect(reasonText(before)).toBe(of(NOBODY_FOUND));
  expect(reasonText(NOT_REPAIRED)).toBe(of(NOT_REPAIRED));
  expect(reasonText(`${UNREACHABLE} ${NOT_REPAIRED}`)).toBe(`${of(UNREACHABLE)} ${of(NOT_REPAIRED)}`);
  expect(reasonText(`A bot’s own words. ${NOT_REPAIRED}`)).toBe(`A bot’s own words. ${of(NOT_REPAIRED)}`);
  speak('en');
  expect(reasonText(`${UNREACHABLE} ${NOT_DELIVERED}`)).toBe(`${UNREACHABLE} ${NOT_DELIVERED}`);
});
