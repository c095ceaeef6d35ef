import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Ranker } from '../../../domain/boards/ranking.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { verdictsOf, withVerdicts } from '../../../domain/scans/quality.ts';
import { emptyUnread } from '../../../domain/scans/read.ts';
import { Adder } from '../../../domain/scans/result-sums.ts';
import { type Row, type Table, tableOf } from '../../../domain/scans/rows.ts';
import { alliancesOf, totalsOf } from '../../../domain/scans/totals.ts';
import { cellIn, passing, Results } from '../../../web/components/results/results.ts';
import { statsOf } from '../../../web/components/results/stats.ts';

/**
 * Unread figures never show as 0 in sums, boards or cells. All read figures here are above 0, so every 0 found is an
 * error.
 */

const games = fc.constantFrom('rok' as const, 'cod' as const);
const figures = games.chain((game) => {
  const { id, kingdom, name, tag, power } = GAMES[game].roles;
  const { columns } = GAMES[game];
  const profile = columns.filter(({ profile: is, type }) => is && type === 'integer').map(({ key }) => key);
  // Columns read for nobody, everybody or some.
  const gaps = fc.record(
    Object.fromEntries(profile.map((key) => [key, fc.constantFrom('none' as const, 'all' as const, 'some' as const)])),
  );
  const row = fc.record({
    [tag]: fc.constantFrom('A', 'B', ''),
    [power]: fc.integer({ min: 1, max: 1e9 }),
    ...Object.fromEntries(profile.map((key) => [key, fc.option(fc.integer({ min: 1, max: 24 }), { nil: null })])),
  });
  return fc.record({ gaps, rows: fc.array(row, { minLength: 1, maxLength: 12 }) }).map(({ gaps: of, rows }) => {
    const made = rows.map((each, index): Row => {
      const cells = Object.entries(each as Row).map(([key, value]) => {
        const gap = (of as Record<string, string>)[key];
        return [key, gap === 'none' ? null : gap === 'all' ? (value ?? 1) : value];
      });
      return { ...Object.fromEntries(cells), [id]: index + 1, [kingdom]: 5, [name]: `N${index}` };
    });
    const table = emptyUnread(tableOf(game, made));
    return { game, rows: made, table: withVerdicts(table, verdictsOf(table)) };
  });
});

/** Returns the paths of all zeros in a value. */
function zeros(value: unknown, path = ''): string[] {
  if (value === 0) return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => zeros(inner, `${path}.${key}`));
}

/** Counts of rows, which may be 0. */
const COUNTS = /\.(known|left_out|excluded|flawed|rows|listed|listedOnly|read|distribution|moved|hall25_count)\b/;
const madeUp = (value: unknown): string[] => zeros(value).filter((path) => !COUNTS.test(path));

const sums = (table: Table) => {
  const adder = new Adder();
  adder.add(table);
  return adder.finish();
};

test('sums, days and alliances of a scan have no 0 for unread figures', () => {
  fc.assert(
    fc.property(figures, ({ table }) => {
      const totals = totalsOf(table);
      expect(madeUp(totals)).toEqual([]);
      expect(madeUp(sums(table))).toEqual([]);
      // An alliance's sums are 0 if no member's figure counts: power is unverified, or scores are unread.
      for (const { read, score } of alliancesOf(table)) expect(score > 0).toBe(read > 0);
      const { roles } = GAMES[table.game];
      for (const [figure, key] of [
        ['score', roles.score],
        ['deads', roles.deads],
      ] as const)
        expect(totals[figure].total === null).toBe(
          !Array.from(table.numbers[key] ?? []).some(
            (value, row) => !Number.isNaN(value) && !table.texts.doubted?.[row]?.split(' ').includes(figure),
          ),
        );
    }),
    { numRuns: 300 },
  );
});

test('boards have no 0 for unread figures', () => {
  fc.assert(
    fc.property(figures, ({ game, table }) => {
      const ranker = new Ranker(game);
      ranker.begin(5);
      ranker.add(table);
      ranker.end(5);
      for (const ranking of Object.values(ranker.finish().boards))
        for (let at = 0; at < ranking.length; at++) {
          const { rank, ...row } = ranking.at(at) ?? { rank: 0 };
          // The number of rows in a sum is a separate value and may be 0.
          const told = { ...row, counted: null, left_out: null };
          const own = 'member_count' in row ? { ...told, power: row.power || null } : told;
          expect(madeUp(own)).toEqual([]);
        }
    }),
    { numRuns: 300 },
  );
});

test('the results page has no 0 for unread figures and agrees with the service’s sums', () => {
  fc.assert(
    fc.property(figures, ({ game, rows, table }) => {
      const marked = rows.map((row, at) => ({
        ...row,
        doubted: table.texts.doubted?.[at] ?? null,
        quality: table.texts.quality?.[at] ?? null,
      }));
      const results = new Results(GAMES[game], marked);
      for (const row of marked)
        for (const { id } of results.columns) expect([id, cellIn(row, id)]).not.toEqual([id, 0]);
      const { powers, ...stats } = statsOf(results, passing(results, {}));
      expect(madeUp(stats)).toEqual([]);
      const service = sums(table);
      for (const [page, own] of [
        [stats.power, service.power],
        [stats.score, service.score],
        [stats.deads, service.deads],
        [stats.highTierKills, service.high_tier_kills],
        [stats.top100, service.top100],
        [stats.top350, service.top350],
      ] as const)
        expect([page.value, page.raw, page.excluded, page.rows]).toEqual([own.value, own.raw, own.left_out, own.rows]);
      const totals = totalsOf(table);
      expect([totals.power.total, totals.score.total, totals.deads.total]).toEqual([
        stats.power.value,
        stats.score.value,
        stats.deads.value,
      ]);
    }),
    { numRuns: 300 },
  );
});
