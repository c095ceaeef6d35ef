import { expect, test } from 'vitest';
import { bodiesOf, mutantsOf } from '../scripts/mutate/mutants.ts';

/** The text with each mutant of that operator in it. */
const bent = (text: string, operator: RegExp): string[] =>
  mutantsOf('a.ts', text)
    .filter((mutant) => operator.test(mutant.operator))
    .map(({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end));

test('each condition of a query is dropped, in SQL and in words of Drizzle', () => {
  expect(bent('q(`SELECT a FROM b WHERE c = ? AND d = ? AND (e < ? OR f = 1) ORDER BY g DESC`)', /SQL/)).toEqual([
    'q(`SELECT a FROM b WHERE c = ?  AND (e < ? OR f = 1) ORDER BY g DESC`)',
    'q(`SELECT a FROM b WHERE c = ? AND d = ?  ORDER BY g DESC`)',
    'q(`SELECT a FROM b WHERE c = ? AND d = ? AND (e <= ? OR f = 1) ORDER BY g DESC`)',
    'q(`SELECT a FROM b WHERE c = ? AND d = ? AND (e < ? OR f = 1) `)',
    'q(`SELECT a FROM b WHERE c = ? AND d = ? AND (e < ? OR f = 1) ORDER BY g ASC`)',
  ]);
  expect(bent('where(and(eq(a, 1), gt(b, 2)))', /condition/)).toEqual([
    'where(and(undefined, gt(b, 2)))',
    'where(and(eq(a, 1), undefined))',
  ]);
});

test('awaits, catches, bounds and orders are bent, types and imports are not', () => {
  expect(bent('async () => await f(1 as 2)', /./)).toEqual([
    'async () => (f(1 as 2))',
    'async () => await f((2) as 2)',
  ]);
  expect(bent('try { a(); } catch { b; }', /catch/)).toEqual([
    'try { a(); } catch {throw new Error("not caught"); b; }',
  ]);
  expect(bent('const x = a < b && Math.min(c, d);', /</)).toEqual(['const x = a <= b && Math.min(c, d);']);
  expect(bent('const x = Math.min(c, d);', /./)).toEqual(['const x = Math.max(c, d);']);
  expect(bent('x = list.sort(by).map(f)', /dropped/)).toEqual(['x = list.map(f)']);
  expect(bent("import a from 'a'; type B = 1 | { c: true };", /./)).toEqual([]);
});

test('a mutant and its function go by the same place', () => {
  const text = 'const a = 1; function f() { return () => g(2); }';
  const starts = bodiesOf('a.ts', text).map(({ start }) => start);
  expect(mutantsOf('a.ts', text).map(({ within }) => within)).toEqual([0, starts[1]]);
});
