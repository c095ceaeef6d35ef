import { expect, test } from 'vitest';
import { say } from '../../domain/language/text.ts';
import { MAX_ITEMS_PER_ORDER, PRODUCTS } from '../../domain/orders/catalogue.ts';
import { checkParams } from '../../domain/orders/params.ts';
import { listOf, priceOf } from '../../domain/orders/pricing.ts';

/** Kingdom lists as users write and paste them into an order. */

test.each<[string, string[]]>([
  ['1012, 1013', ['1012', '1013']],
  ['1012;1013 ; 1014', ['1012', '1013', '1014']],
  ['1012 1013\t1014', ['1012', '1013', '1014']],
  ['1012\r\n1013\n\n1014\n', ['1012', '1013', '1014']],
  [' , ;\n', []],
  ['1001-1004', ['1001', '1002', '1003', '1004']],
  ['1004 – 1001, 7', ['1001', '1002', '1003', '1004', '7']],
  ['1003, 1001-1003, 1003', ['1003', '1001', '1002']],
  ['1001、1002，1003；1004', ['1001', '1002', '1003', '1004']],
  ['１００１～１００３ １００５', ['1001', '1002', '1003', '1005']],
  ['١٠٠١، ۱۰۰۲؛ 1003', ['1001', '1002', '1003']],
  ['1001〜1002', ['1001', '1002']],
  ['7-7', ['7']],
  ['1001-x, k1002', ['1001-x', 'k1002']],
  ['1001-1002-1003', ['1001-1002-1003']],
  ['0-3', ['0-3']],
])('%j lists %j', (text, listed) => {
  expect(listOf(text)).toEqual(listed);
});

test('an array keeps its entries unchanged, each once', () => {
  expect(listOf(['1012', ' 1013 ', 1012, '1-3', ''])).toEqual(['1012', '1013', '1-3']);
});

const [scan] = PRODUCTS;
if (!scan) throw new Error('nothing is for sale');

test('a kingdom named twice is bought once', () => {
  const params = { kingdoms: '1012 1012-1013', governors: 100, full_profile: true };
  expect(checkParams(scan, params)).toBeNull();
  expect(priceOf(scan, params)).toBe(2 * scan.price);
});

test('a range cannot exceed an order’s limit', () => {
  const most = { kingdoms: `1-${MAX_ITEMS_PER_ORDER}`, governors: 100, full_profile: true };
  expect(checkParams(scan, most)).toBeNull();
  const flaw = checkParams(scan, { ...most, kingdoms: `1-${MAX_ITEMS_PER_ORDER + 1}` });
  expect(flaw && say(flaw)).toBe('kingdoms: more than 5,000 in one order.');
  const many = Array.from({ length: 1000 }, () => '1-99999').join(' ');
  expect(listOf(many)).toHaveLength(MAX_ITEMS_PER_ORDER + 1);
  // Kingdoms after a range that adds nothing are kept.
  expect(listOf('1-4000, 1-4000, 1-4000, 4001')).toHaveLength(4001);
});
