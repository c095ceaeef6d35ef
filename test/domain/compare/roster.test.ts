import { describe, expect, test } from 'vitest';
import { standingBy } from '../../../domain/compare/rolled-up.ts';
import { roster } from '../../../domain/compare/roster.ts';
import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';

const entry = (governor_id: number, role: RosterEntry['role'], main_id: number | null = null): RosterEntry => ({
  governor_id,
  role,
  main_id,
  note: '',
});

describe('a roster', () => {
  test.each<[string, RosterEntry[], string | null]>([
    ['everybody in his role', [entry(1, 'main'), entry(2, 'farm', 1), entry(3, 'left'), entry(4, 'exempt')], null],
    ['a farm of somebody who is not in it', [entry(2, 'farm', 9)], null],
    ['somebody twice', [entry(1, 'main'), entry(2, 'left'), entry(1, 'left')], '2: 1 appears twice.'],
    ['a farm without a main', [entry(1, 'main'), entry(2, 'farm')], '1: 2 is a farm: name its main.'],
    ['a main with a main', [entry(1, 'main', 2)], '0: 1 is not a farm and has no main.'],
    ['one who left with a main', [entry(1, 'left', 2)], '0: 1 is not a farm and has no main.'],
    ['a farm of its own', [entry(1, 'farm', 1)], '0: 1 cannot be its own main.'],
    ['a farm of a farm', [entry(1, 'farm', 2), entry(2, 'farm', 3)], '0: 2 is a farm itself and cannot be a main.'],
    ['a farm of one who left', [entry(1, 'farm', 2), entry(2, 'left')], null],
  ])('with %s', (_, entries, flaw) => {
    const { error } = roster.safeParse(entries);
    expect(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? null).toEqual(flaw && [flaw]);
  });

  const ids = Float64Array.of(1, 2, 3, 4, 5);
  const scores = Float64Array.of(100, 40, Number.NaN, 7, 9);
  const entries = [entry(1, 'main'), entry(2, 'farm', 1), entry(3, 'farm', 1), entry(4, 'exempt'), entry(5, 'farm', 8)];

  test('adds farms’ scores to their mains, counts unknown ones as 0, and keeps those whose main is missing', () => {
    const rolled = standingBy(entries, 50, { ids, scores });
    expect([...rolled.scores]).toEqual([120, Number.NaN, Number.NaN, 7, 9]);
    expect([...rolled.apart]).toEqual([0, 1, 1, 1, 0]);
    expect([...scores]).toEqual([100, 40, Number.NaN, 7, 9]);
  });

  test('ranks farms separately without a share, and adds that share to their mains with one', () => {
    const alone = standingBy(entries, null, { ids, scores });
    expect([...alone.scores]).toEqual([100, 40, Number.NaN, 7, 9]);
    expect([...alone.apart]).toEqual([0, 0, 0, 1, 0]);
    expect([...standingBy(entries, 20, { ids, scores }).scores]).toEqual([108, Number.NaN, Number.NaN, 7, 9]);
    expect([...standingBy(entries, 0, { ids, scores }).scores]).toEqual([100, Number.NaN, Number.NaN, 7, 9]);
    expect([...standingBy([entry(4, 'left')], 50, { ids, scores }).apart]).toEqual([0, 0, 0, 1, 0]);
  });

  test('adds farms to the first of two rows of their main', () => {
    const twice = standingBy([entry(2, 'farm', 1)], 100, {
      ids: Float64Array.of(1, 1, 2),
      scores: Float64Array.of(10, 20, 5),
    });
    expect([...twice.scores]).toEqual([15, 20, Number.NaN]);
  });
});
