import { parse } from '@messageformat/parser';
import { afterEach, describe, expect, test } from 'vitest';
import { numbered, percentage } from '../../../domain/figures.ts';
import { takeLocaleFrom } from '../../../domain/language/current.ts';
import { FORMATS } from '../../../domain/language/format-table.ts';
import { arrow } from '../../../domain/language/formats.ts';
import type { Locale } from '../../../domain/language/locales.ts';
import { parseMessage } from '../../../domain/language/message.ts';
import { addCatalogue, keyOf, labelled, listed, saidValues, say, sentence, t } from '../../../domain/language/text.ts';

const speak = (locale: Locale) => takeLocaleFrom(() => locale);
afterEach(() => speak('en'));

const SCANS = '{count, plural, =0 {No scans} one {# scan} other {# scans}} of {name}';
const GAME = '{game, select, cod {Lords} other {Governors}}';

describe('in a language from right to left', () => {
  const MARK = '\u200e';

  test('signs keep their side of a number, also behind a word', () => {
    speak('ar');
    addCatalogue('ar', {
      messages: {
        [keyOf('Order #{id}')]: 'الطلب #{id}',
        [keyOf('{part}% of {id}')]: 'حتى {part}% من {id}',
        [keyOf('{count, plural, other {# of {id}}}')]: '{count, plural, other {# من {id}}}',
      },
      format: FORMATS.ar,
    });
    expect(t('Order #{id}', { id: '8' })).toBe(`الطلب ${MARK}#8`);
    expect(t('{part}% of {id}', { part: 12, id: '8' })).toBe(`حتى ${MARK}12% من 8`);
    expect(t('{count, plural, other {# of {id}}}', { count: 3, id: '8' })).toBe('3 من 8');
    expect([numbered(1234), numbered('1234')]).toEqual([`${MARK}#1,234`, `${MARK}#1234`]);
    expect([percentage(12), arrow()]).toEqual([`${MARK}12%`, '←']);
    speak('en');
    expect([t('Order #{id}', { id: '8' }), numbered(1234), percentage(12), arrow()]).toEqual([
      ...['Order #8', '#1,234', '12%', '→'],
    ]);
  });
});

test('lists and labels have the signs of the language', () => {
  expect([listed(['a', 2]), listed([]), labelled('Retry', 'all')]).toEqual(['a, 2', '', 'Retry: all']);
  speak('ja');
  addCatalogue('ja', { messages: { [keyOf(', ')]: '、', [keyOf('{label}: {value}')]: '{label}：{value}' } });
  expect([listed(['a', 2]), labelled('Retry', 'all')]).toEqual(['a、2', 'Retry：all']);
});

describe('a message', () => {
  test.each([
    [SCANS, { count: 0, name: 'K1' }, 'No scans of K1'],
    [SCANS, { count: 1, name: 'K1' }, '1 scan of K1'],
    [SCANS, { count: 12_345, name: '{name}' }, '12,345 scans of {name}'],
    [GAME, { game: 'cod' }, 'Lords'],
    [GAME, { game: 'constructor' }, 'Governors'],
    ['Read <faq>the FAQ, {name}</faq>.', { name: 'Ann' }, 'Read the FAQ, Ann.'],
    ['It’s {unknown} done', {}, 'It’s  done'],
  ])('%s with %o', (message, values, written) => expect(t(message, values)).toBe(written));

  test('counts in a plural within a tag and a select', () =>
    expect(t('{n, plural, one {<b>#</b>} other {{g, select, x {# xs} other {# others}}}}', { n: 3, g: 'x' })).toBe(
      '3 xs',
    ));

  test('can contain other sentences', () => {
    const line = sentence('Line {line}: {flaw}', { line: 1200, flaw: sentence(SCANS, { count: 2, name: 'K1' }) });
    expect(say(line)).toBe('Line 1,200: 2 scans of K1');
    expect(saidValues(line)).toEqual({ line: 1200, flaw: '2 scans of K1' });
    expect(saidValues({ message: 'Done.' })).toBeUndefined();
  });

  test('can contain amounts, written as the language does when it is said', () => {
    const unpaid = sentence('{balance} USD of {price} USD', { balance: { cents: 123_450 }, price: { cents: 5 } });
    expect(say(unpaid)).toBe('1,234.50 USD of 0.05 USD');
    addCatalogue('de', { messages: {}, format: FORMATS.de });
    speak('de');
    expect(say(unpaid)).toBe('1.234,50 USD of 0,05 USD');
    expect(saidValues(unpaid)).toEqual({ balance: '1.234,50', price: '0,05' });
  });

  test.each(['{', '{}', 'a } b', '<a>b', '<a>b</c>', '{n, plural, one {#}}', '{n, number}', '{n, select, other {x}'])(
    'is malformed: %s',
    (message) => expect(() => parseMessage(message)).toThrow(SyntaxError),
  );

  test('is parsed like ICU’s reference parser does', () => {
    expect(parse(SCANS)).toMatchObject([
      { type: 'plural', arg: 'count', cases: [{ key: '=0' }, {}, {}] },
      {},
      { arg: 'name' },
    ]);
    expect(parseMessage(SCANS)).toMatchObject([
      { kind: 'plural', name: 'count' },
      ' of ',
      { kind: 'value', name: 'name' },
    ]);
  });
});

describe('a translation', () => {
  test('is used in its language only, with its own plural categories and digits', () => {
    const russian = '{count, plural, one {# скан} few {# скана} many {# сканов} other {# скана}} {name}';
    addCatalogue('ru', { messages: { [keyOf(SCANS)]: russian }, format: FORMATS.ru });
    expect(t(SCANS, { count: 2, name: '' })).toBe('2 scans of ');
    speak('ru');
    expect([1, 2, 5, 12_345].map((count) => t(SCANS, { count, name: 'К1' }))).toEqual([
      '1 скан К1',
      '2 скана К1',
      '5 сканов К1',
      '12\u00a0345 сканов К1',
    ]);
    speak('ko');
    expect(t(SCANS, { count: 2, name: 'K1' })).toBe('2 scans of K1');
  });

  test('is found in a part of the catalogue that arrives later', () => {
    speak('tr');
    expect(t('Scans')).toBe('Scans');
    addCatalogue('tr', { messages: { [keyOf('Other')]: 'Diğer' } });
    addCatalogue('tr', { messages: { [keyOf('Scans')]: 'Taramalar' } });
    expect([t('Scans'), t('Other')]).toEqual(['Taramalar', 'Diğer']);
  });
});
