import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../domain/days.ts';
import { GAME_IDS, GAMES } from '../../../domain/games/games.ts';
import { say } from '../../../domain/language/text.ts';
import type { FileScan } from '../../../domain/scans/file-scan.ts';
import { isFileTime, joinedSource, sourceByFileTime, withoutMark } from '../../../domain/scans/file-time.ts';
import {
  type HistoryDay,
  historyFrom,
  historyTable,
  noHistory,
  verdictsOfDays,
} from '../../../domain/scans/history.ts';
import { changesOf, type Reading, tierPoints } from '../../../domain/scans/profile.ts';
import { reportLines } from '../../../domain/scans/report-lines.ts';
import { Adder, topTitle } from '../../../domain/scans/result-sums.ts';
import { RowMoments } from '../../../domain/scans/row-moments.ts';
import { numbersOf, type Row, type Table, tableOf, textsOf, type WireColumns } from '../../../domain/scans/rows.ts';
import { packColumns, unpackColumns } from '../../../domain/scans/staged.ts';
import { twinsIn } from '../../../domain/scans/twins.ts';
import { allianceOf, nameOf, wordsOf } from '../../../domain/scans/words.ts';

/** Figures derived from rows: sums, days, changes, and the texts of their cells. */

const day = (about: Partial<HistoryDay>): HistoryDay => ({
  day: '2026-01-01',
  governor_id: 1,
  name: 'A',
  alliance_tag: 'T',
  kingdom_id: 7,
  rank: 3,
  power: 100,
  score: 10,
  deads: 5,
  t4: 2,
  t5: 1,
  ...about,
});

describe('a history', () => {
  test('goes back ninety days, including today', () => {
    const last = Date.UTC(2026, 2, 31, 23, 59);
    expect(historyFrom(last)).toBe('2026-01-01');
    expect(noHistory('cod', 101)).toContain('Nothing is stored of server 101 from the last 90 days');
  });

  test('has a row for each day with all known figures', () => {
    for (const game of GAME_IDS) {
      const { id, name, tag, kingdom, power, score, deads, tiers } = GAMES[game].roles;
      const table = historyTable(game, [day({}), day({ score: null, deads: null, t4: null, t5: null, rank: 4 })]);
      const numbers = (key: string) => [...numbersOf(table, key)];
      expect([textsOf(table, 'day'), textsOf(table, name), textsOf(table, tag)]).toEqual([
        ['2026-01-01', '2026-01-01'],
        ['A', 'A'],
        ['T', 'T'],
      ]);
      expect([id, 'rank', kingdom, power].map(numbers)).toEqual([
        [1, 1],
        [3, 4],
        [7, 7],
        [100, 100],
      ]);
      expect([score, deads, tiers[3], tiers[4]].map(numbers)).toEqual([
        [10, Number.NaN],
        [5, Number.NaN],
        [2, Number.NaN],
        [1, Number.NaN],
      ]);
    }
  });

  test('marks a counter that fell since the governor’s last day that had it', () => {
    const of = (game: 'rok' | 'cod', ...days: Partial<HistoryDay>[]) =>
      verdictsOfDays(game, days.map(day)).map(({ quality, doubted }) => [quality, ...doubted]);
    expect(of('rok', {}, {}, { score: 9 }, { score: 9 }, { score: 8, deads: 4, t4: 1, t5: 0 })).toEqual([
      ['ok'],
      ['ok'],
      ['counter_fell', 'score'],
      ['ok'],
      ['counter_fell', 'score', 'deads', 'tiers'],
    ]);
    expect(of('rok', {}, { score: null }, { score: 9 }).at(-1)).toEqual(['counter_fell', 'score']);
    expect(of('rok', {}, { governor_id: 2, score: 1, deads: 0 })).toEqual([['ok'], ['ok']]);
    // Merits restart with every war.
    expect(of('cod', {}, { score: 1 }, { deads: 4 })).toEqual([['ok'], ['ok'], ['counter_fell', 'deads']]);
    const listed = { score: null, deads: null, t4: null, t5: null };
    expect(of('rok', listed, { ...listed, t5: 0 }, { ...listed, deads: 0 })).toEqual([['listed'], ['ok'], ['ok']]);
  });
});

test('changes are listed newest first, each against the last reading that had the figure', () => {
  const readings: Reading[] = [
    { time: 3, row: { governor_id: 1, name: 'B', power: 12, deads: null, quality: 'ok' } },
    { time: 1, row: { governor_id: 1, name: 'A', power: 10, deads: 5, quality: null } },
    { time: 2, row: { governor_id: 2, name: 'A', power: 10, deads: 5 } },
    { time: 4, row: { governor_id: 1, name: 'B', power: 12, deads: 6, acclaim: 1 } },
  ];
  expect(changesOf('rok', readings)).toEqual([
    { time: 4, changes: [{ field: 'deads', old: 5, value: 6 }] },
    {
      time: 3,
      changes: [
        { field: 'name', old: 'A', value: 'B' },
        { field: 'power', old: 10, value: 12 },
      ],
    },
  ]);
  expect(changesOf('rok', [])).toEqual([]);
});

test('a tier’s points are its kills times their weight, rounded down', () => {
  const kills: Row = Object.fromEntries(GAMES.rok.roles.tiers.map((key, tier) => [key, tier === 0 ? 14 : 3]));
  expect(tierPoints('rok', kills)).toEqual([2, 6, 12, 30, 60]);
  expect(tierPoints('rok', { killcount_t1: 0 })).toEqual([0, null, null, null, null]);
  expect(tierPoints('cod', kills)).toBeNull();
});

describe('the sums of results', () => {
  const quality = (rows: Row[]): Table => {
    const table = tableOf('rok', rows);
    const texts = (key: string) => rows.map((row) => (row[key] ?? null) as string | null);
    return { ...table, texts: { ...table.texts, doubted: texts('doubted'), quality: texts('quality') } };
  };
  const sumsOf = (...tables: Row[][]) => {
    const adder = new Adder();
    for (const rows of tables) adder.add(quality(rows));
    return adder.finish();
  };

  test('cover what was read, with and without doubted figures', () => {
    const sums = sumsOf(
      [
        { power: 10, killpoints: 5, deads: 1, killcount_t4: 2, killcount_t5: 3 },
        { power: 8, killpoints: 7, deads: 4, killcount_t4: 1, doubted: 'score', quality: 'score_unread' },
      ],
      [{ power: 9, doubted: 'power', quality: 'impossible' }, { power: 7 }],
    );
    expect(sums).toMatchObject({ count: 4, listed: 2, flawed: 2 });
    expect(sums.power).toEqual({ value: 25, rows: 3, left_out: 1, raw: 34, flawed: 1 });
    expect(sums.score).toEqual({ value: 5, rows: 1, left_out: 1, raw: 12, flawed: 0 });
    expect(sums.deads).toEqual({ value: 5, rows: 2, left_out: 0, raw: 5, flawed: 1 });
    // If one of the two tiers is unknown, so is their sum.
    expect(sums.high_tier_kills).toEqual({ value: 5, rows: 1, left_out: 0, raw: 5, flawed: 0 });
    expect(sums.top100).toEqual({ value: 25, rows: 3, left_out: 1, raw: 34, flawed: 1 });
    expect(sumsOf([]).top100).toEqual({ value: null, rows: 0, left_out: 0, raw: null, flawed: 0 });
    expect(sumsOf([]).deads).toEqual({ value: null, rows: 0, left_out: 0, raw: null, flawed: 0 });
  });

  test('cover the strongest 100 and 350, with the doubted ones among them', () => {
    const strong = Array.from({ length: 360 }, (_, index): Row => ({ power: 1000 - index }));
    const sum = (count: number) => (count * (1000 + 1001 - count)) / 2;
    const { top100, top350, power } = sumsOf(strong);
    expect([top100.value, top350.value, power.value]).toEqual([sum(100), sum(350), sum(360)]);
    expect([top100.rows, top350.rows]).toEqual([100, 350]);
    const doubted = (figure: number): Row => ({ power: figure, doubted: 'power', quality: 'impossible' });
    const flawed = (figure: number): Row => ({ power: figure, quality: 'score_unread', doubted: 'score' });
    // The hundred strongest of all, with the one in doubt: it ends at 902.
    const bent = sumsOf([...strong, doubted(2000), doubted(902), doubted(901), flawed(901), flawed(900)]);
    expect(bent.top100).toMatchObject({ rows: 100, left_out: 2, flawed: 1 });
    expect(bent.top100.raw).toBe(sum(98) + 2000 + 903 + 902 - 903);
  });

  test('cover the last of several days', () => {
    const adder = new Adder();
    adder.add(historyTable('rok', [day({ power: 1 }), day({ day: '2026-01-02', power: 5 }), day({ power: 2 })]));
    expect(adder.finish()).toMatchObject({ count: 1, power: { value: 5 } });
  });

  test('are titled by how many they cover', () => {
    expect([topTitle(100, 99), topTitle(100, 100), topTitle(100, 101)]).toEqual([
      'Top 100 (99 read)',
      'Top 100',
      'Top 100',
    ]);
  });
});

test('columns of a hand-in survive a round trip', () => {
  const cells = fc.record({
    governor_id: fc.maxSafeNat(),
    power: fc.option(fc.maxSafeNat()),
    name: fc.option(fc.string({ unit: 'binary', maxLength: 6 })),
    alliance_tag: fc.constantFrom('A', null),
  });
  fc.assert(
    fc.property(fc.array(cells, { maxLength: 6 }), (rows) => {
      const columns = Object.fromEntries(
        ['power', 'name', 'governor_id', 'alliance_tag'].map((key) => [key, rows.map((row) => row[key as 'name'])]),
      ) as WireColumns;
      const { count, numbers, texts } = unpackColumns(packColumns('rok', columns).buffer);
      expect(count).toBe(rows.length);
      expect([...(numbers.power ?? [])]).toEqual(rows.map(({ power }) => power ?? Number.NaN));
      expect([...(numbers.governor_id ?? [])]).toEqual(rows.map(({ governor_id }) => governor_id));
      expect(texts.name).toEqual(rows.map(({ name }) => name?.toWellFormed().replaceAll('\0', '\ufffd') ?? null));
      expect(texts.alliance_tag).toEqual(rows.map((row) => row.alliance_tag));
    }),
  );
  expect(unpackColumns(packColumns('rok', {}).buffer)).toEqual({ count: 0, numbers: {}, texts: {} });
  expect(unpackColumns(packColumns('rok', { name: ['a\ud800', 5] }).buffer).texts).toEqual({ name: ['a\ufffd', null] });
});

describe('text cells', () => {
  test('names stay unchanged up to 200 units, and never end in half a character', () => {
    expect([nameOf(null), nameOf(5), nameOf(' a ')]).toEqual(['', '5', ' a ']);
    expect(nameOf('x'.repeat(200))).toHaveLength(200);
    expect(nameOf('x'.repeat(201))).toHaveLength(200);
    expect(nameOf(`${'x'.repeat(199)}😀`)).toBe('x'.repeat(199));
    expect(nameOf(`${'x'.repeat(198)}😀`)).toBe(`${'x'.repeat(198)}😀`);
    expect(nameOf(`${'x'.repeat(198)}😀y`)).toBe(`${'x'.repeat(198)}😀`);
    // The first and the last half of a character that there is.
    for (const half of ['\ud800', '\udbff']) expect(nameOf(`${'x'.repeat(199)}${half}\udc00`)).toHaveLength(199);
    for (const whole of ['\ud7ff', '\ue000']) expect(nameOf(`${'x'.repeat(199)}${whole}y`)).toHaveLength(200);
    expect(nameOf('a\udc00')).toBe('a\ufffd');
  });

  test('alliances are split into tag and name', () => {
    for (const nothing of [null, '', ' ', '-', 'Skipped']) expect(wordsOf(nothing)).toBeNull();
    expect(allianceOf('[ AB ] Moss ')).toEqual({ tag: 'AB', name: 'Moss' });
    expect(allianceOf('[]Moss')).toEqual({ tag: null, name: 'Moss' });
    expect(allianceOf('[AB]')).toEqual({ tag: 'AB', name: null });
    expect(allianceOf('ABCD')).toEqual({ tag: 'ABCD', name: null });
    expect(allianceOf('😀😀😀😀')).toEqual({ tag: '😀😀😀😀', name: null });
    expect(allianceOf('ABCDE')).toEqual({ tag: null, name: 'ABCDE' });
    expect(allianceOf('-')).toEqual({ tag: null, name: null });
  });
});

test('a file’s report has a line for the file, then its problems as far as they fit', () => {
  const nothing = { path: 'a.csv', refused: null, dialect: 'X', game: null, rows: 1, dropped: 0 } as const;
  const report = { ...nothing, kingdoms: [], captured_at: null, unknown_headers: [], problems: [], problem_count: 0 };
  expect(reportLines(report)).toEqual(['a.csv: X, no kingdom named, no moment, 1 rows taken, 0 dropped']);
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const problem = { line: 3, column: 'Power', reason: 'is odd.', dropped: true };
  const lines = reportLines({
    ...report,
    game: 'cod',
    captured_at: Date.UTC(2026, 0, 5, 3, 4, 59),
    kingdoms: numbers(9),
    unknown_headers: numbers(21).map(String),
    problems: [problem, { ...problem, line: null, column: null }],
    problem_count: 4,
  });
  expect(lines).toEqual([
    'a.csv: X, servers 1, 2, 3, 4, 5, 6, 7, 8 and 1 more, 2026-01-05T03:04Z, 1 rows taken, 0 dropped',
    `  unknown headers: ${numbers(20).join(', ')} and 1 more`,
    '  line 3: Power: is odd.',
    '  is odd.',
    '  and 2 more like these',
  ]);
  expect(reportLines({ ...report, game: 'cod', kingdoms: numbers(8) })[0]).toContain('servers 1, 2, 3, 4, 5, 6, 7, 8,');
  expect(reportLines({ ...report, kingdoms: [5] })[0]).toContain('kingdom 5,');
  expect(reportLines({ ...report, refused: 'No.' })).toEqual(['a.csv: not read. No.']);
});

test.each(['#N/A', '#REF!', '#DIV/0!', 'N/A', 'n/a', 'null', 'None', 'nan', ' NaN ', '-', 'Skipped', ''])(
  "'%s' is an empty cell, and no alliance",
  (cell) => {
    expect(wordsOf(cell)).toBeNull();
    expect(allianceOf(cell)).toEqual({ tag: null, name: null });
    expect(allianceOf(`[${cell}]${cell}`)).toEqual({ tag: null, name: null });
  },
);

test('words that contain such a word are kept, and a player may have it as a name', () => {
  expect(wordsOf('Nonesuch')).toBe('Nonesuch');
  expect(allianceOf('[NA]Nannies')).toEqual({ tag: 'NA', name: 'Nannies' });
  expect(nameOf('null')).toBe('null');
});

test('the mark survives long names and scans joined from several files', () => {
  const long = sourceByFileTime('x'.repeat(300));
  expect(long).toHaveLength(200);
  expect([long, sourceByFileTime('a.csv'), 'a.csv', null].map(isFileTime)).toEqual([true, true, false, false]);
  expect(withoutMark(sourceByFileTime('a.csv'))).toBe('a.csv');
  expect(joinedSource(['a.csv', 'b.csv', 'a.csv'])).toBe('a.csv, b.csv');
  expect(joinedSource(['game', sourceByFileTime('a.csv'), 'b.csv'])).toBe('game, a.csv, b.csv (time of the file)');
  const many = joinedSource([sourceByFileTime('a.csv'), ...Array.from({ length: 90 }, (_, file) => `${file}.csv`)]);
  expect([many.length, isFileTime(many)]).toEqual([200, true]);
});

const AT = Date.UTC(2026, 0, 5);

/** Lines of a kingdom, each of a governor of its own with the moments of its cells. */
function read(...lines: (readonly number[])[]): RowMoments {
  const moments = new RowMoments();
  lines.forEach((cells, index) => {
    moments.next();
    for (const moment of cells) moments.put(moment);
    moments.keep(11, index + 1, index + 1);
  });
  return moments;
}

describe('times of rows', () => {
  test('a line has the latest of its times, and a kingdom that of its latest line, in any order', () => {
    expect([read([AT + 2, AT + 1]).last(11), read([AT + 1, AT + 2]).last(11)]).toEqual([AT + 2, AT + 2]);
    expect([read([AT + 2], [AT], []).last(11), read([AT], [AT + 2]).last(11)]).toEqual([AT + 2, AT + 2]);
    expect([read([]).last(11), read([AT]).last(12)]).toEqual([null, null]);
  });

  test.each([
    [0, 'same'],
    [HOUR_MS, 'same'],
    [HOUR_MS + 1, 'day'],
    [DAY_MS - 1, 'day'],
    [DAY_MS, null],
    [-1, 'same'],
    [-HOUR_MS, 'same'],
    [-HOUR_MS - 1, null],
  ])('a second line of a governor, %d ms after the one at midnight, clashes: %s', (later, why) => {
    const moments = read([AT]);
    moments.next();
    moments.put(AT + later);
    expect(moments.clash(11, 1, false)).toEqual(why && { line: 1, why });
    expect([moments.clash(11, 2, false), moments.clash(12, 1, false)]).toEqual([null, null]);
    expect(moments.clash(11, 1, true)).toEqual({ line: 1, why: why ?? 'day' });
  });

  test('a second line without a day counts as the same, unless a day could not be read', () => {
    const moments = read([AT]);
    moments.next();
    expect(moments.clash(11, 1, false)).toEqual({ line: 1, why: 'same' });
    moments.putUnclear();
    expect(moments.clash(11, 1, false)).toEqual({ line: 1, why: 'unclear' });
  });

  test('a scan of more than a day says from when to when', () => {
    const [first, last] = [AT, AT + DAY_MS];
    expect([read([first], [last]).longSpan(11), read([first]).longSpan(12)]).toEqual([null, null]);
    const long = { first, last: last + 1 };
    expect([read([first], [last + 1]).longSpan(11), read([last + 1], [first]).longSpan(11)]).toEqual([long, long]);
  });
});

test('a scan without a sheet name is called by its file', () => {
  const scan = { kingdom_id: 4001, sheet: null } as FileScan;
  const twins = twinsIn(
    'rok',
    [
      { ...scan, stage: null },
      { ...scan, stage: 'End' },
    ],
    () => 0,
  );
  expect(twins && say(twins.sentence)).toBe(
    "'the file' and 'End' are both a scan of kingdom 4001 of 1970-01-01 00:00 UTC: say when each was read.",
  );
});
