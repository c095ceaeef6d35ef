import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bodiesOf, type Mutant, mutantsOf, ownMutant } from './mutants.ts';
import type { Reached } from './reach.ts';
import { Reaching, Words } from './reaching.ts';
import { Verdicts } from './verdicts.ts';

/** The text with each mutant of that operator in it. */
const bent = (text: string, operator: RegExp): string[] =>
  mutantsOf('a.ts', text)
    .filter((mutant) => operator.test(mutant.operator))
    .map(({ start, end, replacement }) => text.slice(0, start) + replacement + text.slice(end));

test('a mutant makes each condition of a query always true, each alternative never true, and keeps bound values in place', () => {
  expect(bent('q(`SELECT a FROM b WHERE c = ? AND (e < ? OR f = 1) ORDER BY g DESC, h`)', /SQL/)).toEqual([
    'q(`SELECT a FROM b WHERE (c = ? OR 1) AND (e < ? OR f = 1) ORDER BY g DESC, h`)',
    'q(`SELECT a FROM b WHERE c = ? AND ((e < ? OR f = 1) OR 1) ORDER BY g DESC, h`)',
    'q(`SELECT a FROM b WHERE c = ? AND (((e < ?) AND 0) OR f = 1) ORDER BY g DESC, h`)',
    'q(`SELECT a FROM b WHERE c = ? AND (e <= ? OR f = 1) ORDER BY g DESC, h`)',
    'q(`SELECT a FROM b WHERE c = ? AND (e < ? OR ((f = 1) AND 0)) ORDER BY g DESC, h`)',
    'q(`SELECT a FROM b WHERE c = ? AND (e < ? OR f = 1) `)',
    'q(`SELECT a FROM b WHERE c = ? AND (e < ? OR f = 1) ORDER BY g DESC`)',
    'q(`SELECT a FROM b WHERE c = ? AND (e < ? OR f = 1) ORDER BY g ASC, h`)',
  ]);
  expect(bent('q("UPDATE a SET b = CASE c WHEN 1 THEN 2 END WHERE d BETWEEN 3 AND 4")', /condition/)).toEqual([
    'q("UPDATE a SET b = CASE c WHEN 1 THEN 2 END WHERE (d BETWEEN 3 AND 4 OR 1)")',
  ]);
  expect(bent('q(`INSERT INTO a (b) VALUES (?) ON CONFLICT (b) DO NOTHING`)', /SQL/)).toEqual([
    'q(`INSERT INTO a (b) VALUES (?) `)',
  ]);
});

test('Drizzle’s conditions, owner checks and tie-breaks are dropped', () => {
  expect(bent('where(and(eq(a, 1), gt(b, 2)))', /condition/)).toEqual([
    'where(and(undefined, gt(b, 2)))',
    'where(and(eq(a, 1), undefined))',
  ]);
  expect(bent('x = db.where(eq(a, 1)).orderBy(b, c)', /dropped/)).toEqual([
    'x = db.orderBy(b, c)',
    'x = db.where(eq(a, 1))',
    'x = db.where(eq(a, 1)).orderBy(b)',
  ]);
});

test('awaits, catches, bounds and orders are mutated, types and imports are not', () => {
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

test('small numbers change by one, large ones double, and memory sizes stay', () => {
  expect(bent('const a = 15 * 60_000;', /number/)).toEqual(['const a = (16) * 60_000;', 'const a = 15 * (120000);']);
  expect(bent('const a = 36 * 1024 * 1024;', /number/)).toEqual([]);
  expect(bent('const a = 36 * 1024;', /number/)).toEqual([]);
});

test('code whose change nobody could notice is not mutated', () => {
  expect(bent("if (!id) throw new Error('D1 answered no id');", /always|statement/)).toEqual([]);
  expect(bent('console.log(1 + a);', /dropped/)).toEqual([]);
  expect(bent('const [a] = db.select().limit(1);', /./)).toEqual([]);
  expect(bent('const a = b ?? null;', /./)).toEqual(['const a = null;']);
  expect(bent('const a = b ?? 0;', /\?\?/)).toEqual(['const a = b;', 'const a = 0;']);
});

test('a mutant and its function have the same number', () => {
  const text = 'const a = 1; type B = (c: 1) => void; function f() { return () => g(2); }';
  expect(bodiesOf('a.ts', text).map(({ ordinal }) => ordinal)).toEqual([1, 2]);
  expect(mutantsOf('a.ts', text).map(({ within }) => within)).toEqual([0, 2]);
});

test('a function is identified by its text in any place, and equal ones by different names', () => {
  const keys = (text: string) => bodiesOf('a.ts', text).map(({ key }) => key);
  const [alone] = keys('const f = () => g(1);');
  expect(keys('const a = 1; const h = (b) => b; const f = () => g(1);')[1]).toBe(alone);
  expect(keys('const f = () => g(2);')).not.toEqual([alone]);
  expect(new Set(keys('const f = () => g(1); const e = () => g(1);')).size).toBe(2);
  expect(mutantsOf('a.ts', 'const a = 1; const f = () => g(1);').map(({ key }) => key)).toEqual(['a.ts#', alone]);
});

const reached = (file: string, took: number, functions: string[]): Reached => ({
  ...{ project: 'worker', file, passed: true, text: 'one', always: [] },
  tests: [
    { name: 'quick', took: took / 2, functions },
    { name: 'other', took: took / 2, functions: [] },
  ],
});

test('a mutant is tested by the tests that reach its function, or its file if the function is new', () => {
  const [mutant, top] = [
    mutantsOf('a.ts', 'const f = () => g(1);')[0] as Mutant,
    mutantsOf('a.ts', 'const a = 1;')[0] as Mutant,
  ];
  const [near, far, elsewhere] = [
    reached('near.test.ts', 10, [mutant.key]),
    reached('far.test.ts', 10_000, [mutant.key, ...Array.from({ length: 300 }, (_, index) => `b.ts#${index}`)]),
    reached('else.test.ts', 10, ['a.ts#other']),
  ];
  const known = new Reaching([near, far, elsewhere]);
  const names = (reaching: Reaching, each: Reached, one: Mutant) => reaching.testsTo(each, one).map(({ name }) => name);
  expect([near, far, elsewhere].map((each) => names(known, each, mutant))).toEqual([['quick'], ['quick'], []]);
  expect(names(known, elsewhere, top)).toEqual(['quick']);
  expect(known.worthOf(near, mutant)).toBeGreaterThan(known.worthOf(far, mutant));
  expect(names(new Reaching([elsewhere]), elsewhere, mutant)).toEqual(['quick']);
});

test('a verdict is kept until the function or the test file changes', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'verdicts-')), 'verdicts.json');
  const mutant = mutantsOf('a.ts', 'const f = () => g(1);')[0] as Mutant;
  const at = (test: string, text = 'const f = () => g(1);') =>
    new Verdicts(path, () => text, [{ ...reached('a.test.ts', 1, []), text: test }]);
  at('one').note(mutant, 'passed', 'a.test.ts');
  expect(at('one').hasPassed(mutant, 'a.test.ts')).toBe(true);
  expect(at('two').hasPassed(mutant, 'a.test.ts')).toBe(false);
  expect(at('one', 'const f = () => g(1); h();').hasPassed(mutant, 'a.test.ts')).toBe(false);
  at('one').note(mutant, 'killedBy', 'a.test.ts');
  expect(at('one').killer(mutant)).toBe('a.test.ts');
  expect(at('two').killer(mutant)).toBeUndefined();
});

test('a mutant by hand needs a text that occurs once in its function', () => {
  const text = 'const a = 1; function f() { return () => g(2); }';
  expect(ownMutant('a.ts', text, 'g(2)', 'g(3)')).toMatchObject({ start: 41, end: 45, replacement: 'g(3)', within: 2 });
  expect(() => ownMutant('a.ts', text, '(', '[')).toThrow('not there once');
});

test('test files are ranked by rare words that they share with a mutant’s surroundings', () => {
  const text = 'const other = 1;\n\n\nconst revoked = sessions.filter(({ closedAt }) => closedAt);\n';
  const words = new Words([
    ['common.test.ts', 'const sessions = const'],
    ['near.test.ts', 'const sessions, closed_at'],
    ['far.test.ts', 'const other'],
  ]);
  const near = words.nearness(text, ownMutant('a.ts', text, 'closedAt);', 'true);'));
  expect([...near].sort(([, one], [, other]) => other - one).map(([file]) => file)).toEqual([
    'near.test.ts',
    'common.test.ts',
    'far.test.ts',
  ]);
});
