import { describe, expect, test } from 'vitest';
import { sentence } from '../../../domain/language/text.ts';
import { narrow } from '../../../domain/narrow.ts';
import { type Cell, numeralOf } from '../../../domain/scans/numerals.ts';

describe('figures', () => {
  test.each<[Cell, number | null]>([
    ['1234567', 1234567],
    ['1,234,567', 1234567],
    ['1.234.567', 1234567],
    ['1.234', 1234],
    ['1 234 567', 1234567],
    ['1\u202f234\u00a0567', 1234567],
    ['1’234’567', 1234567],
    ["1'234'567", 1234567],
    ['28,12,10,223', 281210223],
    ['2,07,67,99,954', 2076799954],
    ['1,234.00', 1234],
    ['1.234,00', 1234],
    ['+12', 12],
    ['\u200e42\ufeff', 42],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    [12.0, 12],
    ['１２，３４５', 12345],
    ['١٢٬٣٤٥', 12345],
    ['1.2 Mrd', 1_200_000_000],
    ['3,4 Mio.', 3_400_000],
    ['1,5 млн', 1_500_000],
    ['12.5万', 125_000],
    ['1.2亿', 120_000_000],
    ['2萬', 20_000],
    ['3만', 30_000],
    ['1.5億', 150_000_000],
    ['4억', 400_000_000],
    ['2 mln', 2_000_000],
    ['1.5bn', 1_500_000_000],
    ['7 тыс.', 7000],
    ['2 млрд', 2_000_000_000],
    ['15,200.5K', 15_200_500],
    ['#N/A', null],
    ['#DIV/0!', null],
    ['--', null],
    ['Not read', null],
    ['', null],
    ['-', null],
    ['Skipped', null],
    [null, null],
    [-1, null],
    ['-2', null],
    ['(3)', null],
  ])('%j in a whole column is %j', (cell, figure) => {
    expect(numeralOf(cell, 'integer')).toBe(figure);
  });

  test.each<[Cell, string]>([
    ['(123)', 'negative'],
    ['-4', 'negative'],
    ['12.5', 'not a whole number'],
    ['1.62E+08', 'lost its last digits'],
    ['12,34', 'not a whole number'],
    ['1,2,3', 'not a number'],
    ['12a', 'not a number'],
    ['(12', 'not a number'],
    ['9007199254740993', 'too large'],
    ['1.234.56', 'not a number'],
    ['True', 'not a number'],
    [true, 'not a number'],
    ['12%', 'not a number'],
    ['5²', 'not a number'],
    ['1200\n300', 'not a number'],
    ['1e9', 'lost its last digits'],
  ])('%j in a whole column is unclear: %s', (cell, why) => {
    expect(numeralOf(cell, 'integer')).toEqual({
      unclear: expect.objectContaining({ message: expect.stringContaining(why) }),
    });
  });

  test.each<[Cell, number]>([
    ['739,114.5', 739114.5],
    ['739.114,5', 739114.5],
    ['1.500', 1.5],
    ['1,500', 1500],
    ['1,5', 1.5],
    [2.25, 2.25],
  ])('%j in a decimal column is %d', (cell, figure) => {
    expect(numeralOf(cell, 'decimal')).toBe(figure);
  });
});

test('yes is 1 in a column of flags, and ids and kingdoms have no short form', () => {
  expect([true, false, 'TRUE', 'False', '1'].map((cell) => numeralOf(cell, 'flag'))).toEqual([1, 0, 1, 0, 1]);
  for (const cell of ['1.2M', '5k', 'TRUE'])
    expect(numeralOf(cell, 'ident')).toEqual({ unclear: sentence("'{text}' is not a number", { text: cell }) });
  expect(['123456789.0', '123 456 789'].map((cell) => numeralOf(cell, 'ident'))).toEqual([123456789, 123456789]);
  for (const kind of ['ident', 'flag'] as const)
    expect(numeralOf('1.5', kind)).toEqual({ unclear: sentence("'{text}' is not a whole number", { text: '1.5' }) });
});

test('full-width characters are read as their ASCII ones, and others stay', () => {
  expect(narrow('\uff01\uff11\uff21\uff5e')).toBe('!1A~');
  expect(narrow('\uff00\uff5f\u3042')).toBe('\uff00\uff5f\u3042');
});
