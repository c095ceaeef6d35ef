import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { differenceOf, figuresOf, gainsOf } from '../../../domain/difference/difference.ts';
import { doubtAt } from '../../../domain/difference/doubts.ts';
import { movedRows, renamedRows } from '../../../domain/difference/pairs.ts';
import { placesOf, withoutRepeats } from '../../../domain/difference/places.ts';
import type { GameId } from '../../../domain/games/games.ts';
import { type Row, tableOf } from '../../../domain/scans/rows.ts';

/** A governor of kingdom 900 who fought: every figure above 0. */
const fighter = (governor_id: number, change: Row = {}): Row => ({
  governor_id,
  home_kingdom: 900,
  name: `Fighter ${governor_id}`,
  power: 1000,
  killpoints: 380,
  killcount_t1: 0,
  killcount_t2: 0,
  killcount_t3: 20,
  killcount_t4: 10,
  killcount_t5: 10,
  deads: 50,
  rss_gathered: 7,
  ...change,
});
const NO_KILLS: Row = { killcount_t1: 0, killcount_t2: 0, killcount_t3: 0, killcount_t4: 0, killcount_t5: 0 };

const lord = (lord_id: number, merits: number | null, change: Row = {}): Row => ({
  lord_id,
  home_server: 77,
  name: `Lord ${lord_id}`,
  power: 500,
  merits,
  ...change,
});

const between = (from: Row[], to: Row[], game: GameId = 'rok') => differenceOf(tableOf(game, from), tableOf(game, to));

/** The gain and the doubt of the only pair. */
function only(key: string, before: Row, after: Row) {
  const { raw, doubts } = gainsOf(between([fighter(1, before)], [fighter(1, after)]), key);
  return [raw[0], doubtAt(doubts, 0)];
}

describe('governors in both scans', () => {
  const difference = between(
    [fighter(1), fighter(2), fighter(3, { name: 'Old' }), fighter(4)],
    [fighter(9), fighter(3, { name: 'New' }), fighter(1), fighter(4, { home_kingdom: 901 }), fighter(8)],
  );

  test('are paired, apart from those who are gone or joined', () => {
    const { from, to, ...counts } = difference.rows;
    expect([...from]).toEqual([0, 2, 3, -1, -1, 1]);
    expect([...to]).toEqual([2, 1, 3, 0, 4, -1]);
    expect(counts).toEqual({ common: 3, joined: 2, gone: 1 });
  });

  test('are listed if they moved or have another name', () => {
    expect(movedRows(difference)).toEqual([2]);
    expect(renamedRows(difference)).toEqual([1]);
  });

  test('are not renamed if one scan has no name', () => {
    const names = between(
      [fighter(1, { name: '' }), fighter(2), fighter(3, { name: 'Old' })],
      [fighter(1), fighter(2, { name: '' }), fighter(3, { name: 'old' })],
    );
    expect(renamedRows(names)).toEqual([2]);
  });

  test('have unknown gains if both scans hold the same reading, and known ones if they came from elsewhere', () => {
    const from = [fighter(1), fighter(2, { home_kingdom: 901 }), fighter(3, { home_kingdom: 901 }), fighter(4)];
    const to = [
      fighter(1),
      fighter(2, { deads: 60 }),
      fighter(3, { home_kingdom: 901, deads: 70 }),
      // Governors who left have been read in another kingdom since.
      fighter(4, { home_kingdom: 901, deads: 80 }),
    ];
    const difference = { ...between(from, to), unmeasured: new Set([900]) };
    expect([...gainsOf(difference, 'deads').raw]).toEqual([Number.NaN, 10, 20, 30]);
  });

  test('count by their first row if a scan has them twice', () => {
    const twice = between([fighter(1), fighter(1, { deads: 9 })], [fighter(1, { deads: 60 }), fighter(1)]);
    expect(twice.rows).toMatchObject({ common: 1, joined: 0, gone: 1 });
    expect([[...twice.rows.from], [...twice.rows.to]]).toEqual([
      [0, 1],
      [0, -1],
    ]);
    expect(gainsOf(twice, 'deads').raw[0]).toBe(10);
  });

  test('are left out if no group has them at the start', () => {
    const [from, to] = [
      tableOf('rok', [fighter(1), fighter(2), fighter(3), fighter(4)]),
      tableOf('rok', [fighter(2), fighter(1), fighter(5), fighter(6)]),
    ];
    const inside = { start: Int32Array.of(0, -1, -1, 1), end: Int32Array.of(0, -1, -1, 0) };
    const { rows } = differenceOf(from, to, inside);
    expect([[...rows.from], [...rows.to]]).toEqual([
      [0, -1, 3],
      [1, 3, -1],
    ]);
    expect(rows).toMatchObject({ common: 1, joined: 1, gone: 1 });
  });

  test('cannot be of two games', () => {
    expect(() => differenceOf(tableOf('rok', []), tableOf('cod', []))).toThrow('one game');
  });
});

describe('gains and their doubts', () => {
  test('governors who are gone have no gain, and an unread figure has an unknown gain', () => {
    const { raw } = gainsOf(between([fighter(1), fighter(2, { deads: null })], [fighter(2)]), 'deads');
    expect([...raw]).toEqual([Number.NaN]);
    expect(only('deads', {}, { deads: null })).toEqual([Number.NaN, null]);
  });

  test('a fall of power is no doubt, a fall of kills is one', () => {
    expect(only('power', {}, { power: 900 })).toEqual([-100, null]);
    expect(only('power', {}, { power: 0 })).toEqual([-1000, 'impossible']);
    expect(only('killcount_t4', {}, { killcount_t4: 9 })).toEqual([-1, 'fell']);
  });

  test('a tier that fell makes the other tiers doubtful, but not deads, kill points or power', () => {
    const fall = { killcount_t3: 19, killcount_t5: 12, deads: 51, killpoints: 416 };
    expect(only('killcount_t5', {}, fall)).toEqual([2, 'fell']);
    expect(only('deads', {}, fall)).toEqual([1, null]);
    expect(only('killpoints', {}, fall)).toEqual([36, null]);
    expect(only('power', {}, fall)).toEqual([0, null]);
  });

  test('kills are doubtful if exactly one of two readings has none', () => {
    expect(only('killcount_t4', NO_KILLS, {})).toEqual([10, 'one_empty']);
    expect(only('killcount_t4', {}, NO_KILLS)).toEqual([-10, 'fell']);
    expect(only('killcount_t1', { ...NO_KILLS, killpoints: 0 }, {})).toEqual([0, 'one_empty']);
  });

  test('other counters are doubtful if such a reading lacks them', () => {
    const empty = { ...NO_KILLS, killpoints: 0, deads: 0, rss_gathered: 0 };
    expect(only('deads', empty, {})).toEqual([50, 'one_empty']);
    expect(only('rss_gathered', empty, {})).toEqual([7, 'one_empty']);
    expect(only('killpoints', empty, {})).toEqual([380, 'one_empty']);
    expect(only('deads', { ...empty, deads: 40 }, {})).toEqual([10, null]);
    expect(only('power', empty, {})).toEqual([0, null]);
  });

  test('the first deads count if the kills were read', () => {
    expect(only('deads', { deads: 0 }, {})).toEqual([50, null]);
    expect(only('killpoints', { killpoints: 0 }, {})).toEqual([380, 'one_empty']);
  });

  test('two readings without kills gain 0 with equal kill points, and an unknown number otherwise', () => {
    const quiet = { ...NO_KILLS, killpoints: 512 };
    expect(only('killcount_t4', quiet, quiet)).toEqual([0, null]);
    expect(only('killcount_t4', quiet, { ...quiet, killpoints: 600 })).toEqual([Number.NaN, null]);
    expect(only('killcount_t4', quiet, { ...quiet, killpoints: null })).toEqual([0, null]);
  });

  test('unread kills are unknown, not doubtful', () => {
    const unread = Object.fromEntries(Object.keys(NO_KILLS).map((key) => [key, null]));
    expect(only('killcount_t4', unread, {})).toEqual([Number.NaN, null]);
    expect(only('deads', { ...unread, deads: 0 }, {})).toEqual([50, null]);
  });

  test('ids and places are not figures', () => {
    expect(figuresOf('rok').map(({ key }) => key)).not.toContain('governor_id');
    expect(figuresOf('rok').map(({ key }) => key)).not.toContain('domain');
    expect(figuresOf('cod').map(({ key }) => key)).not.toContain('map_id');
  });
});

describe('seasons', () => {
  const merits = (from: Row[], to: Row[]) => {
    const difference = between(from, to, 'cod');
    const { raw, doubts } = gainsOf(difference, 'merits');
    return { gains: [...raw], doubts: [...raw.keys()].map((row) => doubtAt(doubts, row)), seasons: difference.seasons };
  };

  test('merits that fell over most of a server restarted, so the current ones were won since', () => {
    const after = merits(
      [lord(1, 900), lord(2, 800), lord(3, 700), lord(4, null), lord(5, 0)],
      [lord(1, 10), lord(2, 20), lord(3, 750), lord(4, 30), lord(5, null)],
    );
    expect(after.seasons.get('merits')).toEqual(new Set([77]));
    expect(after.gains).toEqual([10, 20, 750, 30, Number.NaN]);
    expect(after.doubts).toEqual([null, null, null, null, null]);
  });

  test('a fall of half of a server, or of a single lord, is a misread', () => {
    const half = merits([lord(1, 900), lord(2, 800)], [lord(1, 10), lord(2, 820)]);
    expect(half.seasons.has('merits')).toBe(false);
    expect([half.gains, half.doubts]).toEqual([
      [-890, 20],
      ['fell', null],
    ]);
    expect(merits([lord(1, 900)], [lord(1, 10)]).doubts).toEqual(['fell']);
    const four = [1, 2, 3, 4].map((id) => lord(id, 100));
    expect(merits(four, [lord(1, 1), lord(2, 1), lord(3, 101), lord(4, 101)]).seasons.get('merits')?.size ?? 0).toBe(0);
  });

  test('a season also restarts if fewer than half fell, but the top lords did and most changed map', () => {
    // 66 of 162 fell, most of the top ones among them; the others had little and won more since.
    const ids = Array.from({ length: 162 }, (_, index) => index + 1);
    const top = (id: number) => id <= 66;
    const from = ids.map((id) => lord(id, top(id) ? 1_000_000 - id : 100, { map_id: 77 }));
    const to = (map_id: (id: number) => number, risen = 5_000) =>
      ids.map((id) => lord(id, top(id) ? 2_000 : risen, { map_id: map_id(id) }));
    const restarted = merits(
      from,
      to((id) => (id <= 120 ? 27_010 : 77)),
    );
    expect(restarted.seasons.get('merits')).toEqual(new Set([77]));
    expect([restarted.gains[0], restarted.gains[161]]).toEqual([2_000, 5_000]);
    expect(restarted.doubts.every((doubt) => doubt === null)).toBe(true);
    // The top fell and the sum fell: two signs without a map.
    expect(
      merits(
        from,
        to(() => 77),
      ).seasons.get('merits')?.size ?? 0,
    ).toBe(1);
    // The top fell, but the sum rose and nobody moved: one sign is not enough.
    expect(
      merits(
        from,
        to(() => 77, 1_000_000),
      ).seasons.get('merits')?.size ?? 0,
    ).toBe(0);
  });

  test('a few falls among lords who changed map are misreads', () => {
    const ids = Array.from({ length: 60 }, (_, index) => index + 1);
    const from = ids.map((id) => lord(id, 1_000_000, { map_id: 77 }));
    const to = ids.map((id) => lord(id, id <= 5 ? 0 : 1_000_001, { map_id: 27_010 }));
    expect(merits(from, to).seasons.has('merits')).toBe(false);
  });

  test('one server can begin a season while another continues', () => {
    const other = { home_server: 78 };
    const { seasons, gains } = merits(
      [lord(1, 900), lord(2, 800), lord(3, 5, other), lord(4, 5, other)],
      [lord(1, 10), lord(2, 20, other), lord(3, 6, other), lord(4, 7, other)],
    );
    expect(seasons.get('merits')).toEqual(new Set([77]));
    expect(gains).toEqual([10, 20, 1, 2]);
  });
});

test('a repeated governor counts by the first row, and a side without repeats stays unchanged', () => {
  const side = tableOf('rok', [fighter(2, { deads: 2 }), fighter(3), fighter(1), fighter(2, { deads: 1 }), fighter(3)]);
  const once = withoutRepeats(side);
  expect([once.count, [...(once.numbers.governor_id ?? [])], [...(once.numbers.deads ?? [])]]).toEqual([
    3,
    [2, 3, 1],
    [2, 50, 50],
  ]);
  expect(once.texts.name).toEqual(['Fighter 2', 'Fighter 3', 'Fighter 1']);
  expect(withoutRepeats(once)).toBe(once);
});

test('places list ids of any size in order, equal ones as they stand, without missing ones', () => {
  const ids = fc.array(fc.oneof(fc.integer({ min: 0, max: 40 }), fc.maxSafeNat()), { maxLength: 300 });
  fc.assert(
    fc.property(ids, (column) => {
      const { values, rows, repeats } = placesOf(Float64Array.from(column));
      const plain = [...column.entries()].sort(([a, first], [b, second]) => first - second || a - b);
      expect([...rows]).toEqual(plain.map(([row]) => row));
      expect([...values]).toEqual(plain.map(([, value]) => value));
      expect(repeats).toBe(column.length - new Set(column).size);
    }),
  );
  const { values, rows, repeats } = placesOf(Float64Array.of(7, Number.NaN, 8, 7));
  expect([[...values], [...rows], repeats]).toEqual([[7, 7, 8], [0, 3, 2], 2]);
});

test('pairing any ids equals a plain search', () => {
  const column = fc.array(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constant(Number.NaN)), { maxLength: 40 });
  fc.assert(
    fc.property(column, column, (before, after) => {
      const side = (ids: readonly number[]) => {
        const table = tableOf(
          'rok',
          ids.map(() => fighter(1)),
        );
        table.numbers.governor_id = Float64Array.from(ids);
        return table;
      };
      const { rows } = differenceOf(side(before), side(after));
      const isFirst = (ids: readonly number[], row: number) => ids.indexOf(ids[row] as number) === row;
      const partners = [...before.keys()].map((row) =>
        isFirst(before, row) ? after.indexOf(before[row] as number) : -1,
      );
      const common = partners.flatMap((place, row) => (place >= 0 ? [[row, place]] : []));
      const joined = [...after.keys()].filter(
        (row) => !before.includes(after[row] as number) || Number.isNaN(after[row]),
      );
      const gone = partners.flatMap((place, row) => (place >= 0 ? [] : [row]));
      expect(rows).toMatchObject({ common: common.length, joined: joined.length, gone: gone.length });
      expect([...rows.from].map((row, place) => [row, rows.to[place]])).toEqual([
        ...common,
        ...joined.map((row) => [-1, row]),
        ...gone.map((row) => [row, -1]),
      ]);
    }),
  );
});
