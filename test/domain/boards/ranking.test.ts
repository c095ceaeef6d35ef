import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placedRows, placementOf, type Ranked, rankedAt } from '../../../domain/boards/placing.ts';
import { Ranker, rankedColumns } from '../../../domain/boards/ranking.ts';
import type { BoardRow, Ranking } from '../../../domain/boards/rows.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { type Row, tableOf } from '../../../domain/scans/rows.ts';

/** Boards against plain code that keeps every row. */

interface Scan {
  kingdom: number;
  rows: Row[];
}

const rowsOf = (ranking: Ranking): BoardRow[] =>
  Array.from({ length: ranking.length }, (_, index) => ranking.at(index) as BoardRow);

function ranked(scans: readonly Scan[], limit = 100_000, pieces = 1) {
  const ranker = new Ranker('rok', { governors: limit, alliances: limit });
  const last = new Map(scans.map(({ kingdom }, index) => [kingdom, index]));
  for (const [index, { kingdom, rows }] of scans.entries()) {
    ranker.begin(kingdom);
    const size = Math.max(1, Math.ceil(rows.length / pieces));
    for (let from = 0; from < rows.length; from += size) {
      const table = tableOf('rok', rows.slice(from, from + size));
      ranker.add({
        ...table,
        texts: {
          ...table.texts,
          doubted: rows.slice(from, from + size).map((row) => String(row.doubted ?? '') || null),
        },
      });
    }
    if (last.get(kingdom) === index) ranker.end(kingdom);
  }
  const { counts, boards } = ranker.finish();
  return {
    counts,
    byPower: boards['governor-power'],
    byScore: boards['governor-score'],
    alliancesByPower: boards['alliance-power'],
    alliancesByScore: boards['alliance-score'],
  };
}

const row = (id: number, power: number, killpoints: number | null, more: Row = {}): Row => ({
  governor_id: id,
  name: `G${id}`,
  power,
  killpoints,
  highest_power: killpoints === null ? null : power,
  ...more,
});
const ids = (ranking: Ranking) => rowsOf(ranking).map((each) => (each as { governor_id: number }).governor_id);
const byTag = (ranking: Ranking) =>
  rowsOf(ranking).map((each) => {
    const { kingdom_id, alliance_tag, power, killpoints, member_count } = each as unknown as Row;
    return [`${kingdom_id}/${alliance_tag}`, power, killpoints, member_count];
  });

describe('governors', () => {
  test('are ranked by figure, then by id, once each, in the kingdom that saw them last', () => {
    const governor = fc.record({
      id: fc.integer({ min: 1, max: 30 }).map((id) => id * 2 ** 31 + id),
      power: fc.integer({ min: 1, max: 9 }),
      killpoints: fc.option(fc.integer({ min: 0, max: 5 })),
      tag: fc.constantFrom('A', 'B', ''),
    });
    const scan = fc.record({
      kingdom: fc.constantFrom(1, 2, 3),
      people: fc.uniqueArray(governor, { maxLength: 12, selector: ({ id }) => id }),
    });
    fc.assert(
      fc.property(
        fc.array(scan, { maxLength: 4 }),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 3 }),
        (all, limit, pieces) => {
          const scans = all.map(({ kingdom, people }) => ({
            kingdom,
            rows: people.map(({ id, power, killpoints, tag }) => row(id, power, killpoints, { alliance_tag: tag })),
          }));
          const { powers, scores, alliances } = plainly(scans);
          const { byPower, byScore, alliancesByPower, counts } = ranked(scans, limit, pieces);
          expect(ids(byPower)).toEqual(powers.slice(0, limit));
          expect(ids(byScore)).toEqual(scores.slice(0, limit));
          expect(byTag(alliancesByPower)).toEqual(alliances.slice(0, limit));
          expect(counts).toMatchObject({ governors: powers.length, alliances: alliances.length });
        },
      ),
      { numRuns: 200 },
    );
  });

  /** The same from maps of everybody. */
  function plainly(scans: readonly Scan[]) {
    const reached = new Map<number, number>();
    const [power, score] = [new Map<number, number>(), new Map<number, number | null>()];
    const alliances = new Map<string, { power: number; killpoints: number | null; members: number }>();
    const homes = new Map<number, { kingdom: number; key: string | null }>();
    for (const { kingdom, rows } of scans) {
      const before = reached.get(kingdom) ?? Number.POSITIVE_INFINITY;
      reached.set(kingdom, Math.min(before, ...rows.map((each) => Number(each.power))));
      for (const each of rows) {
        const id = Number(each.governor_id);
        if (Number(each.power) >= before && !power.has(id)) continue;
        const isNew = !power.has(id);
        const hasScore = each.killpoints !== null && !score.has(id);
        if (isNew) power.set(id, Number(each.power));
        if (hasScore) score.set(id, Number(each.killpoints));
        if (isNew) homes.set(id, { kingdom, key: each.alliance_tag ? `${kingdom}/${each.alliance_tag}` : null });
        const home = homes.get(id);
        if (!home?.key || home.kingdom !== kingdom) continue;
        const sums = alliances.get(home.key) ?? { power: 0, killpoints: null, members: 0 };
        alliances.set(home.key, sums);
        if (isNew) [sums.power, sums.members] = [sums.power + Number(each.power), sums.members + 1];
        if (hasScore) sums.killpoints = (sums.killpoints ?? 0) + Number(each.killpoints);
      }
    }
    const sorted = (figures: [number, number | null][]) =>
      figures.sort(([a, one], [b, other]) => Number(other) - Number(one) || a - b).map(([id]) => id);
    return {
      powers: sorted([...power]),
      scores: sorted([...score].filter(([, figure]) => Number(figure) > 0)),
      alliances: [...alliances]
        .sort(([a, one], [b, other]) => other.power - one.power || (a < b ? -1 : 1))
        .map(([key, sums]) => [key, sums.power, sums.killpoints, sums.members]),
    };
  }

  test('are all counted, also with ids of 53 bits', () => {
    const people = Array.from({ length: 3000 }, (_, index) =>
      row(2 ** 52 + index * 2 ** 32 + (index % 7), index + 1, 1),
    );
    const twice = [...people, ...people.map((each) => ({ ...each, power: 5 }))];
    const { counts, byPower } = ranked([{ kingdom: 1, rows: twice }]);
    expect([counts.governors, byPower.length]).toEqual([3000, 3000]);
  });

  test('have their figures, with null for unknown ones', () => {
    const full = row(1, 9, 40, {
      alliance_tag: 'A',
      deads: 3,
      town_center: 25,
      ...Object.fromEntries(GAMES.rok.roles.tiers.map((tier, index) => [tier, index])),
    });
    const { byPower } = ranked([{ kingdom: 7, rows: [full, row(2, 8, null, { name: null })] }]);
    const hall = GAMES.rok.roles.hall === 'town_center' ? 25 : null;
    expect(rowsOf(byPower)).toMatchObject([
      {
        kingdom_id: 7,
        governor_id: 1,
        alliance_tag: 'A',
        name: 'G1',
        power: 9,
        killpoints: 40,
        deads: 3,
        cityhall: hall,
        killcount_t1: 0,
        killcount_t2: 1,
        killcount_t3: 2,
        killcount_t4: 3,
        killcount_t5: 4,
        rank: 0,
        moved: null,
      },
      { governor_id: 2, alliance_tag: '', name: '', killpoints: null, deads: null, killcount_t5: null },
    ]);
    expect([byPower.at(1), byPower.at(2)]).toEqual([expect.anything(), undefined]);
  });

  test('with one doubted figure are ranked by the other only', () => {
    const rows = [row(1, 9, 5, { doubted: 'power' }), row(2, 8, 4, { doubted: 'score' }), row(3, 7, 3)].map((each) => ({
      ...each,
      alliance_tag: 'A',
    }));
    const { byPower, byScore, alliancesByPower } = ranked([{ kingdom: 1, rows }]);
    expect([ids(byPower), ids(byScore)]).toEqual([
      [2, 3],
      [1, 3],
    ]);
    expect(byTag(alliancesByPower)).toEqual([['1/A', 15, 8, 3]]);
    // The alliance's row says how many members each sum includes, and what the unverified ones would add.
    expect(alliancesByPower.at(0)).toMatchObject({
      counted: { power: 2, killpoints: 2 },
      left_out: { power: { rows: 1, raw: 24 }, killpoints: { rows: 1, raw: 12 } },
    });
  });

  test('below a shallower scan stay on the board, though it has a misread power', () => {
    const deep = [9, 8, 7, 6].map((power, index) => row(index + 1, power, 1));
    const shallow = [row(1, 9, 1), row(2, 0, 1, { doubted: 'power' })];
    const { byPower } = ranked([
      { kingdom: 1, rows: shallow },
      { kingdom: 1, rows: deep },
    ]);
    expect(ids(byPower)).toEqual([1, 3, 4]);
  });

  test('count with the newer of two older profiles', () => {
    const scan = (killpoints: number | null) => ({ kingdom: 1, rows: [row(1, 9, killpoints, { alliance_tag: 'A' })] });
    const { byScore, alliancesByScore } = ranked([scan(null), scan(5), scan(4)]);
    expect(ids(byScore)).toEqual([1]);
    expect(byTag(alliancesByScore)).toEqual([['1/A', 9, 5, 1]]);
  });

  test('count for the alliance that has them now, also with the score of an older scan', () => {
    const scan = (kingdom: number, people: [id: number, tag: string][], killpoints: number | null) => ({
      kingdom,
      rows: people.map(([id, alliance_tag]) => row(id, 10 - id, killpoints, { alliance_tag })),
    });
    const { alliancesByPower } = ranked([
      scan(
        1,
        [
          [1, 'A'],
          [2, 'B'],
        ],
        null,
      ),
      scan(2, [[3, 'A']], null),
      scan(
        1,
        [
          [1, 'A'],
          [2, 'A'],
          [3, 'A'],
        ],
        5,
      ),
    ]);
    expect(byTag(alliancesByPower)).toEqual([
      ['1/A', 9, 5, 1],
      ['1/B', 8, 5, 1],
      ['2/A', 7, null, 1],
    ]);
  });

  test('without a profile are in no sum, and the alliance says how many members its sum counts', () => {
    const rows = [row(1, 9, 5), row(2, 8, null)].map((each) => ({ ...each, alliance_tag: 'A' }));
    const first = ranked([{ kingdom: 1, rows }]).alliancesByPower.at(0);
    expect(first).toMatchObject({ member_count: 2, counted: { power: 2, killpoints: 1 } });
    expect(first).not.toHaveProperty('left_out');
  });
});

test('alliances take the name of their first member that has one, and are ranked by score if one was read', () => {
  const rows = [
    row(1, 9, null, { alliance_tag: 'A', alliance_name: '' }),
    row(2, 8, 0, { alliance_tag: 'A', alliance_name: 'First' }),
    row(3, 7, 5, { alliance_tag: 'A', alliance_name: 'Second' }),
    row(4, 6, null, { alliance_tag: 'B' }),
    row(5, 1, 9, { alliance_tag: 'C' }),
    row(6, 1, 9, { alliance_tag: 'a' }),
    row(7, 1, 0, { alliance_tag: 'D' }),
  ];
  const { alliancesByScore, alliancesByPower } = ranked([
    { kingdom: 2, rows },
    { kingdom: 1, rows: [row(8, 6, null, { alliance_tag: 'B' })] },
  ]);
  expect(rowsOf(alliancesByScore)).toMatchObject([
    { alliance_tag: 'C', killpoints: 9 },
    { alliance_tag: 'a', killpoints: 9 },
    { alliance_tag: 'A', alliance_name: 'First', killpoints: 5, member_count: 3 },
  ]);
  expect(byTag(alliancesByPower).map(([key]) => key)).toEqual(['2/A', '1/B', '2/B', '2/C', '2/D', '2/a']);
  expect(alliancesByPower.at(6)).toBeUndefined();
  expect(rankedColumns('rok')).toEqual(expect.arrayContaining(['governor_id', 'power', 'alliance_name', 'doubted']));
});

describe('places', () => {
  const of = (rows: BoardRow[]): Ranking => ({ length: rows.length, at: (index) => rows[index] });
  const governors = (...rows: [number, number | null][]) =>
    of(rows.map(([governor_id, power]) => ({ governor_id, power, killpoints: power }) as unknown as BoardRow));
  const earlier = (...stored: Ranked[]) => placementOf(stored);
  const told = (rows: BoardRow[]) => rows.map(({ rank, moved, gained }) => [rank, moved, gained]);

  test('say how far a row moved and what it gained since the previous board', () => {
    const ranking = governors([1, 9], [2, 8], [3, 7], [4, 6]);
    const standing = earlier([2, 5], [1, 9], 3);
    expect(told(placedRows('governor-power', ranking, 0, 9, standing))).toEqual([
      [1, 1, 0],
      [2, -1, 3],
      // An earlier release kept the key alone.
      [3, 0, null],
      [4, null, null],
    ]);
    expect(told(placedRows('governor-power', ranking, 1, 3, standing)).map(([rank]) => rank)).toEqual([2, 3]);
    expect(told(placedRows('governor-score', governors([1, null]), 0, 1, earlier([1, 5])))).toEqual([[1, 0, null]]);
    expect(told(placedRows('governor-score', governors([1, 5]), 0, 1, earlier([1, null])))).toEqual([[1, 0, null]]);
  });

  test('compare kingdoms only if about as many governors were read', () => {
    const kingdom = (player_count: number) =>
      of([{ kingdom_id: 1, total_power: 50, player_count } as unknown as BoardRow]);
    const gained = (now: number, stored: Ranked) =>
      placedRows('kingdom-power', kingdom(now), 0, 1, earlier(stored))[0]?.gained;
    expect([gained(100, [1, 40, 100]), gained(90, [1, 40, 100]), gained(100, [1, 40, 90])]).toEqual([10, 10, 10]);
    expect([gained(89, [1, 40, 100]), gained(100, [1, 40, 89]), gained(100, [1, 40])]).toEqual([null, null, null]);
  });

  test('are stored as key and figure', () => {
    const score = of([{ governor_id: 4, power: 9, killpoints: 5 } as unknown as BoardRow]);
    const merits = of([{ governor_id: 4, power: 9, merits: 6 } as unknown as BoardRow]);
    expect(rankedAt('governor-power', score, 0)).toEqual([4, 9]);
    expect(rankedAt('governor-score', score, 0)).toEqual([4, 5]);
    expect(rankedAt('governor-score', merits, 0)).toEqual([4, 6]);
    expect(rankedAt('governor-score', of([{ governor_id: 4, power: 9 } as unknown as BoardRow]), 0)).toEqual([4, null]);
    expect(rankedAt('kingdom-power', of([{ kingdom_id: 1, total_power: 5, player_count: 3 } as never]), 0)).toEqual([
      1, 5, 3,
    ]);
    expect(rankedAt('governor-power', score, 1)).toBe('');
  });
});
