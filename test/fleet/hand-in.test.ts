import { describe, expect, test } from 'vitest';
import { MAX_BODY_BYTES, type Task } from '../../domain/fleet/contract.ts';
import { GAMES } from '../../domain/games/games.ts';
import { batchesOf, columnsOf, type Result, resultOf, rowsWithin } from '../../fleet/hand-in.ts';
import { sharedScans } from '../../fleet/scans.ts';
import type { Scan, Source } from '../../fleet/sources/source.ts';
import { simulatedWorld } from '../../fleet/sources/world.ts';
import { troubleLog } from '../../fleet/trouble.ts';

const AT = Date.UTC(2026, 2, 1);
const rows = simulatedWorld().rows('rok', 1001, AT, 250);
const task: Task = {
  subtask_id: 7,
  lease: 'l',
  lease_until: AT,
  order_id: 1,
  item_id: 'i',
  game: 'rok',
  kingdom_id: 1001,
  from_rank: 101,
  to_rank: 200,
  full_profile: true,
};

describe('ranks', () => {
  test('select rows by position, counted from 1', () => {
    expect(rowsWithin(rows, { from_rank: 1, to_rank: 100 })).toEqual(rows.slice(0, 100));
    expect(rowsWithin(rows, { from_rank: 201, to_rank: 300 })).toEqual(rows.slice(200));
    expect(rowsWithin(rows, { from_rank: 301, to_rank: 400 })).toEqual([]);
  });
});

describe('columns', () => {
  test('of a full profile contain every value', () => {
    const columns = columnsOf('rok', rows, true);
    expect(columns.killpoints).toEqual(rows.map((row) => row.killpoints));
    expect(columns.alliance_tag?.some((tag) => tag === null)).toBe(true);
  });

  test('without the full profile are those of the ranking list', () => {
    const keys = Object.keys(columnsOf('rok', rows, false));
    expect(keys).toEqual(['governor_id', 'alliance_tag', 'home_kingdom', 'name', 'power', 'alliance_name']);
    const opened = GAMES.rok.columns.filter(({ profile }) => profile).map(({ key }) => key);
    expect(keys.filter((key) => opened.includes(key))).toEqual([]);
  });

  test('without rows are empty', () => {
    const scan: Scan = { captured_at: AT, source: 's', rows };
    const result = resultOf({ ...task, from_rank: 901, to_rank: 1000 }, scan);
    expect(result).toEqual({ subtask_id: 7, lease: 'l', captured_at: AT, source: 's', columns: {} });
  });
});

describe('batches', () => {
  const result = (subtask_id: number, count: number, name = 'x'): Result => ({
    subtask_id,
    lease: 'l',
    captured_at: AT,
    source: 's',
    columns: { governor_id: Array.from({ length: count }, (_, index) => index + 1), name: Array(count).fill(name) },
  });
  const ids = (batches: Result[][]) => batches.map((batch) => batch.map(({ subtask_id }) => subtask_id));

  test('have at most 500 rows and five subtasks', () => {
    expect(ids(batchesOf([1, 2, 3, 4, 5].map((id) => result(id, 100))))).toEqual([[1, 2, 3, 4, 5]]);
    expect(ids(batchesOf([1, 2, 3].map((id) => result(id, 200))))).toEqual([[1, 2], [3]]);
    expect(ids(batchesOf([1, 2, 3, 4, 5, 6].map((id) => result(id, 1))))).toEqual([[1, 2, 3, 4, 5], [6]]);
  });

  test('stay under 1 MB, counted in bytes', () => {
    const batches = batchesOf([1, 2, 3].map((id) => result(id, 100, '灯'.repeat(1500))));
    expect(ids(batches)).toEqual([[1, 2], [3]]);
    for (const batch of batches)
      expect(Buffer.byteLength(JSON.stringify({ bot_id: 'b', results: batch }))).toBeLessThan(MAX_BODY_BYTES);
  });
});

describe('shared scans', () => {
  function counted(answers: (Scan | { unknown: string } | Error)[]): { source: Source; looks: () => number } {
    let looks = 0;
    return {
      looks: () => looks,
      source: {
        name: 'counted',
        describe: () => 'counted',
        canScan: async () => ({}),
        async scan() {
          const answer = answers[Math.min(looks++, answers.length - 1)] as Scan | Error;
          if (answer instanceof Error) throw answer;
          return answer;
        },
      },
    };
  }
  const scan: Scan = { captured_at: AT, source: 's', rows };

  test('a scan of an item is reused for a minute', async () => {
    let now = AT;
    const { source, looks } = counted([scan]);
    const scans = sharedScans(source, () => now);
    await Promise.all([scans(task), scans({ ...task })]);
    now += 59_000;
    await scans(task);
    expect(looks()).toBe(1);
    await scans({ ...task, item_id: 'other' });
    expect(looks()).toBe(2);
    now += 2000;
    await scans(task);
    expect(looks()).toBe(3);
  });

  test('scans of eight items are cached, and the least recently used is dropped first', async () => {
    const { source, looks } = counted([scan]);
    let now = AT;
    const scans = sharedScans(source, () => now);
    const look = async (item_id: string) => {
      const before = looks();
      await scans({ ...task, item_id });
      return looks() > before;
    };
    for (const id of '12345678') expect(await look(id)).toBe(true);
    for (const id of '12345678') expect(await look(id)).toBe(false);
    expect(await look('9')).toBe(true);
    expect(await look('2')).toBe(false);
    expect(await look('1')).toBe(true);
    expect(await look('2')).toBe(true);
    now += 60_000 - 1;
    expect(await look('2')).toBe(false);
    now += 1;
    expect(await look('2')).toBe(true);
  });

  test('an unknown kingdom or a failure is not cached', async () => {
    const { source } = counted([{ unknown: 'No.' }, new Error('broken'), scan]);
    const scans = sharedScans(source, () => AT);
    expect(await scans(task)).toEqual({ unknown: 'No.' });
    await expect(scans(task)).rejects.toThrow('broken');
    expect(await scans(task)).toEqual(scan);
  });

  test('a scan’s time is never in the future', async () => {
    const scans = sharedScans(counted([{ ...scan, captured_at: AT + 5 }]).source, () => AT);
    expect(await scans(task)).toMatchObject({ captured_at: AT });
  });
});

describe('logged troubles', () => {
  test('a trouble is logged once until it has been over for a while', () => {
    let now = 0;
    const lines: string[] = [];
    const trouble = troubleLog(
      (line) => lines.push(line),
      () => now,
    );
    trouble.tell('a');
    trouble.over();
    trouble.tell('a');
    trouble.tell('b');
    expect(lines).toEqual(['a', 'b']);
    now = 31_000;
    trouble.over();
    trouble.tell('a');
    expect(lines).toEqual(['a', 'b', 'a']);
  });

  test('a lasting trouble is logged again after ten minutes, and a recent one does not count as over', () => {
    let now = 0;
    const lines: string[] = [];
    const trouble = troubleLog(
      (line) => lines.push(line),
      () => now,
    );
    trouble.tell('a');
    now = 600_000 - 1;
    trouble.tell('a');
    expect(lines).toEqual(['a']);
    now = 600_000;
    trouble.tell('a');
    expect(lines).toEqual(['a', 'a']);
    now += 30_000;
    trouble.over();
    trouble.tell('a');
    expect(lines).toEqual(['a', 'a']);
    now += 1;
    trouble.over();
    trouble.tell('a');
    expect(lines).toEqual(['a', 'a', 'a']);
  });
});
