import { describe, expect, test } from 'vitest';
import { dialectOf, type HeaderMapping, noDialect } from '../../domain/scans/dialect.ts';
import type { LineCounts, Problem, ReadingOptions } from '../../domain/scans/file-scan.ts';
import type { Cell } from '../../domain/scans/numerals.ts';
import { ScanReading } from '../../domain/scans/reading.ts';
import { checkColumns, type Row } from '../../domain/scans/rows.ts';
import { rowsIn } from '../support/readings.ts';

interface Read {
  game: string;
  dialect: string;
  rows: Row[];
  problems: Pick<Problem, 'line' | 'column' | 'reason'>[];
  mapping: HeaderMapping[];
  counts: LineCounts;
}

function read(headers: string, lines: Cell[][], options: Partial<ReadingOptions> = {}): Read {
  const problems: Read['problems'] = [];
  const names = headers.split(',');
  const dialect = dialectOf(names);
  if (!dialect) throw new Error(noDialect(names));
  const report = ({ line, column, reason }: Problem) => problems.push({ line, column, reason });
  const reading = new ScanReading(dialect, names, { report, momentIn: () => null, ...options });
  lines.forEach((cells, index) => {
    reading.line(index + 2, cells);
  });
  const { scans, mapping, lines: counts } = reading.finish();
  return { game: reading.game, dialect: dialect.name, rows: rowsIn(scans), problems, mapping, counts };
}

describe('dialects', () => {
  test('Hero Scrolls: ids may be text, the kingdom is in the row, and a missing value stays empty', () => {
    const { game, dialect, rows, problems } = read(
      'Kingdom,Governor Name,Governor ID,Power,Domain ID,Alliance Tag,Deads,Kill Points,T1 Kills,T5 Kills,Ark Kills/Battle,Current League,Town Hall',
      [['4001', 'Copper Pike', '70000001', 5_000_000, 0, '2238', 12, 40, 0, 2, '', '0-0-0', 25]],
    );
    expect([game, dialect, problems]).toEqual(['rok', 'Hero Scrolls', []]);
    expect(rows).toMatchObject([
      {
        home_kingdom: 4001,
        name: 'Copper Pike',
        governor_id: 70000001,
        power: 5_000_000,
        domain: 0,
        alliance_tag: '2238',
        deads: 12,
        killpoints: 40,
        killcount_t1: 0,
        killcount_t5: 2,
        ark_kills_per_battle: null,
        olympia_current_league: '0-0-0',
        town_center: 25,
      },
    ]);
  });

  test.each([
    [
      'RokTracker v3–v4',
      'Governor ID,Governor Name,Power,Kill Points,Deaths,T1,T2,T3,T4,T5,Kills,Kills (T4+),RSS Gathered,RSS Assistance,Helps,Alliance',
    ],
    [
      'RokTracker v5',
      'ID,Name,Power,Killpoints,Deads,T1 Kills,T2 Kills,T3 Kills,T4 Kills,T5 Kills,Total Kills,T45 Kills,Rss Gathered,Rss Assistance,Helps,Alliance',
    ],
  ])('%s: the kingdom from the caller, tag and full name of the alliance', (name, headers) => {
    const cells = ['70000001', 'Moss', '1,000', 40, 3, 0, 0, 0, 0, 2, 2, 2, 700, 800, 9, '[MC~]Moss Company'];
    const { dialect, rows, problems } = read(headers, [cells], { kingdom: 1599 });
    expect([dialect, problems]).toEqual([name, []]);
    expect(rows[0]).toMatchObject({
      governor_id: 70000001,
      home_kingdom: 1599,
      name: 'Moss',
      power: 1000,
      killpoints: 40,
      deads: 3,
      killcount_t5: 2,
      rss_gathered: 700,
      rss_given: 800,
      helps_given: 9,
      alliance_tag: 'MC~',
      alliance_name: 'Moss Company',
    });
  });

  test('RokTracker: zeros of v4 for unreadable figures stay, and v6’s markers mean unknown', () => {
    const v4 = read('Governor ID,Governor Name,Power,Kill Points,Deaths,T1,Alliance', [[1, 'A', 9, 0, 0, 0, '']], {
      kingdom: 1,
    });
    expect(v4.rows[0]).toMatchObject({ killpoints: 0, deads: 0, killcount_t1: 0, alliance_tag: null });
    const v6 = read(
      'ID,Name,Power,Killpoints,Acclaim,Highest Acclaim,Deads,T1 Kills,Total Kills,Alliance',
      [[1, 'A', 9, -1, -2, '-3', 'Skipped', '-1', -1, '[X]Y']],
      { kingdom: 1 },
    );
    expect(v6.dialect).toBe('RokTracker v6');
    expect(v6.problems).toEqual([]);
    expect(v6.rows[0]).toMatchObject({
      killpoints: null,
      acclaim: null,
      highest_acclaim: null,
      deads: null,
      killcount_t1: null,
    });
  });

  test('RokTracker’s fork and nikolakis are read', () => {
    const fork = read(
      'ID,Name,Alliance,Power,T1 Kills,T45 Kills,Killpoints,City Hall Level',
      [[1, 'A', '[X]Y', 9, 5, 0, 1, 25]],
      { kingdom: 7 },
    );
    expect(fork.dialect).toBe('RokTracker fork');
    expect(fork.rows[0]).toMatchObject({ town_center: 25, killcount_t1: 5, alliance_tag: 'X' });
    const other = read(
      'Governor Name,Governor ID,Power,Tier 1 Kills,KvK Kills High,Aclaim,High Aclaim',
      [['A', 1, 9, 5, 8, 2, 3]],
      { kingdom: 7 },
    );
    expect(other.dialect).toBe('nikolakis');
    expect(other.rows[0]).toMatchObject({
      killcount_t1: 5,
      lost_kingdom_most_killed: 8,
      acclaim: 2,
      highest_acclaim: 3,
    });
  });

  test('Call of Dragons: a dash is unknown, True is 1, and a lord without a server is dropped and reported', () => {
    const { game, rows, problems } = read(
      'lord_id,name,home_server,in_power_rankings,power,merits,alliance_tag,highest_power',
      [
        [1, '-', 99, 'True', 9, '-', '-', 10],
        [2, 'B', '-', 'TRUE', 8, 5, "BTX'", 8],
      ],
    );
    expect(game).toBe('cod');
    expect(rows[0]).toMatchObject({
      name: '-',
      home_server: 99,
      in_power_rankings: 1,
      merits: null,
      alliance_tag: null,
    });
    expect(rows).toHaveLength(1);
    expect(problems).toEqual([{ line: 3, column: 'home_server', reason: 'No server is named; the line is left out.' }]);
  });

  test('Call of Dragons with titles: Current Power is the power, and Power is the highest power', () => {
    const { rows, problems } = read('Lord ID,Name,Division,Current Power,Power,Ore Spent,City Level,T4 Kill Count', [
      [1, 'A', 106, '28,12,10,223', '33,67,41,236', '1,000', 25, '10,31,87,222'],
    ]);
    expect(problems).toEqual([]);
    expect(rows[0]).toMatchObject({
      home_server: 106,
      power: 281210223,
      highest_power: 336741236,
      stone_spent: 1000,
      town_center: 25,
      killcount_t4: 103187222,
    });
  });
});

describe('input that cannot be read', () => {
  test('the refusal of a file without ids lists its headers', () => {
    expect(dialectOf(['Name', 'Score'])).toBeNull();
    expect(noDialect(['Name', 'Score'])).toBe('No column of governor ids or lord ids among the headers: Name, Score.');
  });

  test('unknown headers, unclear cells, lines without id or power, and repeated ids are reported with line and column', () => {
    const { rows, problems, mapping } = read('Kingdom,Governor ID,Governor Name,Power,Deads,Mood', [
      [4001, 1, 'A', 9, '12x', 'fine'],
      [4001, '', 'B', 9, 1, ''],
      [4001, 3, 'C', 'Skipped', 1, ''],
      [4001, 1, 'A again', 8, 1, ''],
      [4002, 1, 'A elsewhere', 8, 1, ''],
      ['', '', '', '', '', ''],
    ]);
    expect(rows.map(({ name, home_kingdom, deads }) => [name, home_kingdom, deads])).toEqual([
      ['A', 4001, null],
      ['A elsewhere', 4002, 1],
    ]);
    expect(mapping.filter(({ column }) => column === null)).toEqual([
      { header: 'Mood', column: null, stage: null, why: 'unknown' },
    ]);
    expect(problems).toEqual([
      { line: 2, column: 'Deads', reason: "'12x' is not a number." },
      { line: 3, column: 'governor_id', reason: 'No governor id; the line is left out.' },
      { line: 4, column: 'power', reason: 'No power of governor 3; the line is left out.' },
      {
        line: 5,
        column: 'governor_id',
        reason: '1 appears twice with different figures: line 2 counts, this one is left out.',
      },
    ]);
  });

  test('names stay unchanged, but are cut at 200 units and made well-formed', () => {
    const odd = ' ㅤ\u200b\u202eツ ';
    const long = `${'x'.repeat(199)}😀`;
    const { rows } = read('Kingdom,Governor ID,Governor Name,Power', [
      [1, 1, odd, 1],
      [1, 2, long, 1],
      [1, 3, 'half \ud83d', 1],
      [1, 4, 12345, 1],
      [1, 5, null, 1],
      [1, 6, true, 1],
    ]);
    // A spreadsheet that took a name for a yes shows it so.
    expect(rows.map(({ name }) => name)).toEqual([odd, 'x'.repeat(199), 'half \ufffd', '12345', '', 'TRUE']);
  });

  test('every row that is read may be handed in', () => {
    const { rows } = read('Kingdom,Governor ID,Governor Name,Power', [
      [1, 1, 'A', 1],
      [1, 2, null, 1],
    ]);
    const keys = Object.keys(rows[0] ?? {});
    const columns = Object.fromEntries(keys.map((key) => [key, rows.map((row) => row[key] ?? null)]));
    expect(checkColumns('rok', columns, { kingdom: 1, ranks: 100 })).toBeNull();
  });
});

test("headers such as 'constructor' are unknown headers", () => {
  const words = ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'];
  const cells: Cell[] = ['7001', '5', '4', ...words.map(() => 'x')];
  const { rows } = read(`Lord ID,Current Power,Power,${words}`, [cells], { kingdom: 101 });
  expect(rows).toEqual([expect.objectContaining({ lord_id: 7001, power: 5, highest_power: 4 })]);
});

test('numbers that are no whole figures are unclear, also as cells of a workbook', () => {
  const { rows, problems } = read(
    'Governor ID,Name,Power,Deads',
    [
      [1, 'A', 9, 12.5],
      [2, 'B', 8, 2 ** 53 + 2],
    ],
    { kingdom: 1 },
  );
  expect(rows.map(({ deads }) => deads)).toEqual([null, null]);
  expect(problems.map(({ reason }) => reason)).toEqual([
    "'12.5' is not a whole number.",
    "'9007199254740994' is too large.",
  ]);
});

describe('dropped lines', () => {
  test('without a kingdom are reported in the order of the file', () => {
    const { rows, problems } = read('Kingdom,Governor ID,Name,Power', [
      [11, 1, 'A', 5],
      [null, 2, 'B', 6],
      [11, 3, 'C', 7],
      [null, 4, 'D', 8],
    ]);
    expect(rows.map(({ governor_id }) => governor_id)).toEqual([1, 3]);
    expect(problems.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'No kingdom is named; the line is left out.'],
      [5, 'No kingdom is named; the line is left out.'],
    ]);
  });

  test('that are a total of two times count as one line', () => {
    const people = Array.from({ length: 10 }, (_, at): Cell[] => [at + 1, `P${at}`, at + 1, at + 2]);
    const { counts, problems } = read('Governor ID,Name,Start Power,End Power', [...people, [99, 'Total', 55, 65]], {
      kingdom: 1,
    });
    expect(counts).toEqual({ read: 11, kept: 10, dropped: 1 });
    expect(problems.map(({ line }) => line)).toEqual([12]);
  });
});

describe('a cell of two columns', () => {
  test('fills both, if it has both figures', () => {
    const { rows, mapping, problems } = read('Governor ID,Name,Power,Deaths (T4/T5)', [
      [1, 'A', 9, '5 / 7'],
      [2, 'B', 8, ''],
      [3, 'C', 7, '5'],
    ]);
    expect(rows.map(({ deads_t4, deads_t5 }) => [deads_t4, deads_t5])).toEqual([
      [5, 7],
      [null, null],
      [5, null],
    ]);
    expect(mapping.at(-1)).toMatchObject({ column: 'deads_t4 / deads_t5', why: 'known' });
    expect(problems).toEqual([]);
  });
});

describe('a reading reports once', () => {
  test('which columns have rounded figures', () => {
    const { rows, problems } = read('Governor ID,Name,Power,Kill Points', [
      [1, 'A', '15.2M', '1.5B'],
      [2, 'B', ' 14.2M ', '5'],
    ]);
    expect(rows.map(({ power }) => power)).toEqual([15_200_000, 14_200_000]);
    const rounded = (figure: string) => `Figures such as '${figure}' were rounded by the tool that wrote them.`;
    expect(problems).toEqual([
      { line: null, column: 'power', reason: rounded('15.2M') },
      { line: null, column: 'killpoints', reason: rounded('1.5B') },
    ]);
  });

  test('each invalid kingdom, up to twenty', () => {
    const lines = Array.from({ length: 25 }, (_, index): Cell[] => [index + 1, 'A', 100 - index, `Sheet ${index}`]);
    const { problems } = read('Governor ID,Name,Power,Kingdom', [...lines, [99, 'Z', 1, 'Sheet 0']]);
    const odd = problems.filter(({ reason }) => /is not a kingdom number/.test(reason));
    expect(odd).toHaveLength(21);
    expect(odd[0]).toEqual({ line: 2, column: 'Kingdom', reason: "'Sheet 0' is not a kingdom number." });
  });

  test('kingdoms written with other characters', () => {
    const named = ['K1599', 'KD 1600', '#1601', 'Kingdom 1602', '1603'];
    const { rows, problems } = read(
      'Governor ID,Name,Power,Kingdom',
      named.map((kingdom, index): Cell[] => [index + 1, 'A', 9, kingdom]),
    );
    expect([rows.map(({ home_kingdom }) => home_kingdom), problems]).toEqual([[1599, 1600, 1601, 1602, 1603], []]);
  });

  test('names that are too long, and impossible figures', () => {
    const { rows, problems } = read('Governor ID,Name,Power,Town Hall', [
      [1, 'x'.repeat(201), 9, 25],
      [2, 'y'.repeat(200), 8, 1e10],
      [3, 'z', 7, 1e10 + 1],
    ]);
    expect(rows.map(({ name }) => String(name).length)).toEqual([200, 200, 1]);
    expect(problems[0]).toEqual({
      line: 2,
      column: 'name',
      reason: 'The name has more than 200 characters; the first 200 are kept.',
    });
    expect(rows.map(({ town_center }) => town_center)).toEqual([25, 1e10, null]);
    expect(problems.slice(1)).toEqual([
      {
        line: 4,
        column: 'town_center',
        reason: '10,000,000,001 is more than anybody can have (10,000,000,000 at most).',
      },
    ]);
  });
});
