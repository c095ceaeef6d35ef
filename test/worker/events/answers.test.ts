import { describe, expect, test } from 'vitest';
import type { SnapshotPart } from '../../../worker/models/events/event-snapshots.ts';
import {
  answerBoard,
  answerData,
  answerGovernor,
  answerLines,
  answerTable,
  type Sides,
} from '../../../worker/services/events/answer-dashboard.ts';
import { answerChanges, answerRecord } from '../../../worker/services/events/answer-room.ts';
import { answerIn, at, fighter, PLAN, START, warOf } from './sides.ts';

/** Answers about an event, from snapshots in memory: leads, ties, counted governors and reads. */

const score = { Fire: [0, 5, 5, 5, 10, 10, 10, 20, 30], Water: [0, 1, 6, 6, 6, 10, 10, 12, 12] };
const line = () =>
  warOf(
    Object.fromEntries(
      score.Fire.map((fire, hour) => [hour, [fighter(1, 701, fire), fighter(3, 703, score.Water[hour] as number)]]),
    ),
  );

const stalled = () =>
  warOf({
    0: [fighter(1, 701, 0), fighter(3, 703, 0)],
    1: [fighter(1, 701, 5), fighter(3, 703, 4)],
    2: [fighter(1, 701, 9), fighter(3, 703, 4)],
  });

describe('the board', () => {
  test.each([
    [8, { camp: 'Fire', by: 18 * 20, since: at(7) }],
    [7, { camp: 'Fire', by: 8 * 20, since: at(7) }],
    [6, null],
    [4, { camp: 'Fire', by: 4 * 20, since: at(4) }],
    [3, { camp: 'Water', by: 20, since: at(2) }],
    [0, null],
  ])('after %i hours: the leader, and since when', async (hour, lead) => {
    const { sides, moments } = line();
    const board = await answerBoard(PLAN, sides, moments, { start: START, end: at(hour) });
    expect(board.lead).toEqual(lead);
  });

  test('lists the last six points of each camp, and whether it gains or falls', async () => {
    const { sides, moments } = line();
    const { camps } = await answerBoard(PLAN, sides, moments, { start: START, end: at(8) });
    expect(camps.map(({ name, rank, dkp, behind }) => [name, rank, dkp, behind])).toEqual([
      ['Fire', 1, 600, 0],
      ['Water', 2, 240, 360],
    ]);
    expect(camps.map(({ share }) => Math.round(share ?? 0))).toEqual([71, 29]);
    expect(camps[0]?.trend).toEqual(
      [3, 4, 5, 6, 7, 8].map((hour) => ({ ts: at(hour), dkp: 20 * (score.Fire[hour] ?? 0) })),
    );
    expect(camps.map(({ tendency }) => tendency)).toEqual(['gaining', 'falling']);
    const first = await answerBoard(PLAN, sides, moments, { start: START, end: START });
    expect(first.camps.map(({ share, tendency, dkp, rank }) => [share, tendency, dkp, rank])).toEqual([
      [null, null, 0, 1],
      [null, null, 0, 1],
    ]);
  });

  test('reads no snapshot again for a point that was computed before', async () => {
    const { sides, moments, reads } = line();
    const range = { start: START, end: at(8) };
    const once = await answerBoard(PLAN, sides, moments, range);
    expect(new Set(reads).size).toBe(9);
    reads.length = 0;
    expect(await answerBoard(PLAN, sides, moments, range)).toEqual(once);
    expect([...new Set(reads)]).toEqual([0, 8]);
  });

  test('lists the top twelve governors of the event, and counts no outsiders', async () => {
    const rows = (kills: (id: number) => number) => [
      ...Array.from({ length: 52 }, (_, id) => fighter(id + 1, id % 2 === 0 ? 701 : 703, kills(id + 1))),
      fighter(900, 799, kills(900)),
    ];
    const { sides, moments } = warOf({
      0: [...rows(() => 0), fighter(53, 702, 0), fighter(901, 799, 0)],
      // The first two are equal.
      1: [
        ...rows((id) => (id === 900 ? 5000 : id === 52 ? 0 : 1000 - Math.max(2, id))),
        fighter(54, 702, 0),
        fighter(902, 799, 0),
      ],
    });
    const { top, people, kingdoms, camps } = await answerBoard(PLAN, sides, moments, { start: START, end: at(1) });
    expect(top.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    expect(top.slice(0, 4).map(({ rank }) => rank)).toEqual([1, 1, 3, 4]);
    expect(top[0]).toMatchObject({
      kingdom: '701',
      camp: 'Fire',
      dkp: 998 * 20,
      gains: { killcount_t5: 998 },
      goal: null,
    });
    expect(people).toEqual({ common: 52, joined: 1, gone: 1, unseen: 0, idle: 1, moved: 0, renamed: 0 });
    expect(kingdoms.map(({ kingdom }) => kingdom).sort()).toEqual(['701', '702', '703']);
    expect(camps.map(({ governors }) => governors)).toEqual([27, 26]);
  });

  test('lists missing kingdoms at both ends, once if the ends are the same', async () => {
    const { sides, moments } = warOf({ 0: [fighter(1, 701, 0)], 1: [fighter(1, 701, 1)] }, { stands_in: true });
    const missing = async (end: number) =>
      (await answerBoard(PLAN, sides, moments, { start: START, end })).missing.map(({ kingdom, captured_at }) => [
        kingdom,
        captured_at,
      ]);
    const of = (ts: number) => [701, 702, 703].map((kingdom) => [kingdom, ts - kingdom]);
    expect(await missing(at(1))).toEqual([...of(START), ...of(at(1))]);
    expect(await missing(START)).toEqual(of(START));
  });

  test('has no gain for a camp whose last scan is also its first', async () => {
    const { sides, moments } = stalled();
    const again: Sides = {
      ...sides,
      parts: (ts) =>
        sides
          .parts(ts)
          .map((part) => (part.kingdom_id === 703 && ts === at(2) ? { ...part, key: `703-${at(1)}` } : part)),
    };
    const board = async (start: number) => {
      const range = { start, end: at(2) };
      const lines = (await answerLines(PLAN, again, moments, range, ['dkp'])).camps;
      const { camps } = await answerBoard(PLAN, again, moments, range);
      return camps.map(({ name, dkp }) => [name, dkp, lines[name]?.gained.dkp?.at(-1)]);
    };
    expect(await board(at(1))).toEqual([
      ['Fire', 80, 80],
      ['Water', null, null],
    ]);
    expect(await board(START)).toEqual([
      ['Fire', 180, 180],
      ['Water', 80, 80],
    ]);
  });

  test('names no leader, shares or ranks while a camp’s score is unknown', async () => {
    const unread = { killcount_t5: null, killpoints: null };
    const water = (won: number, more = {}) => [fighter(3, 703, won, more), fighter(4, 703, 0, unread)];
    const { sides, moments } = warOf({
      0: [fighter(1, 701, 0), ...water(0)],
      1: [fighter(1, 701, 3), ...water(0, unread)],
      2: [fighter(1, 701, 5), ...water(1)],
      3: [fighter(1, 701, 9), ...water(2, unread)],
    });
    const board = (hour: number) => answerBoard(PLAN, sides, moments, { start: START, end: at(hour) });
    const { camps, lead } = await board(3);
    expect(camps.map(({ name, dkp, rank, share, behind }) => [name, dkp, rank, share, behind])).toEqual([
      ['Fire', 180, null, null, null],
      ['Water', null, null, null, null],
    ]);
    expect(lead).toBeNull();
    const known = await board(2);
    expect(known.lead).toEqual({ camp: 'Fire', by: 80, since: at(2) });
    expect(known.camps.map(({ rank, tendency }) => [rank, tendency])).toEqual([
      [1, null],
      [2, null],
    ]);
  });

  test('tells of a change of leaders only when all scores are known', async () => {
    const unread = { killcount_t5: null, killpoints: null };
    const { sides } = warOf({
      0: [fighter(1, 701, 0), fighter(3, 703, 0)],
      1: [fighter(1, 701, 3), fighter(3, 703, 9, unread)],
      2: [fighter(1, 701, 5), fighter(3, 703, 9)],
    });
    const leads = async (since: number, end: number) =>
      (await answerChanges(PLAN, sides, { start: START, since: at(since), end: at(end) }, null))?.changes
        .filter(({ kind }) => kind === 'lead')
        .map(({ name, value, before }) => [name, value, before]);
    expect(await leads(0, 1)).toEqual([]);
    expect(await leads(1, 2)).toEqual([['Water', 80, null]]);
  });
});

test('lines add kingdoms up to camps, and are null if no kingdom has the figure', async () => {
  const { sides, moments } = warOf({
    0: [fighter(1, 701, 10), fighter(2, 702, 0), fighter(3, 703, 1, { deads: null })],
    1: [fighter(1, 701, 15), fighter(2, 702, 3), fighter(3, 703, 2, { deads: null })],
  });
  const range = { start: START, end: at(1) };
  const { ts, camps, kingdoms } = await answerLines(PLAN, sides, moments, range, ['dkp', 'killcount_t5', 'deads']);
  expect(ts).toEqual([START, at(1)]);
  expect(camps.Fire).toEqual({
    gained: { dkp: [0, 160], killcount_t5: [0, 8], deads: [0, 0] },
    now: { killcount_t5: [210, 218], deads: [3, 3] },
  });
  expect(camps.Water?.gained).toEqual({ dkp: [0, 20], killcount_t5: [0, 1], deads: [null, null] });
  expect(kingdoms['702']?.now.killcount_t5).toEqual([100, 103]);
});

describe('the explanation of a governor’s score', () => {
  const answered = async (id: number, war: ReturnType<typeof warOf>, hours: [number, number] = [0, 3], plan = PLAN) => {
    const read: number[] = [];
    const answer = await answerGovernor(
      plan,
      war.sides,
      war.moments,
      { start: at(hours[0]), end: at(hours[1]) },
      id,
      async (parts) => {
        read.push(...parts.map(({ kingdom_id }) => kingdom_id));
        return war.sides.side(parts[0]?.ts ?? 0, { core: [], more: [] });
      },
    );
    return { answer, read };
  };
  const moved = () =>
    warOf({
      // First rows count too: a governor who left, and one who joined.
      0: [fighter(2, 703, 0), fighter(1, 701, 0), fighter(9, 799, 0)],
      1: [fighter(1, 701, 4), fighter(2, 703, 1), fighter(9, 799, 90)],
      2: [fighter(1, 703, 4), fighter(9, 799, 99)],
      3: [fighter(4, 702, 7), fighter(1, 703, 9), fighter(9, 799, 100)],
    });

  test('has steps, and reads only the kingdoms that the governor was in', async () => {
    const { answer, read } = await answered(1, moved());
    expect(answer?.steps.map(({ dkp, points }) => [dkp, points.killcount_t5])).toEqual([
      [80, 80],
      [0, 0],
      [100, 100],
    ]);
    expect(answer).toMatchObject({
      camp: 'Fire',
      kingdom: '701',
      rank: 1,
      whole: { dkp: 180, gains: { killcount_t5: 9 } },
    });
    expect(answer?.readings.map(({ kingdom, captured_at }) => [kingdom, captured_at])).toEqual([
      ['701', START - 701],
      ['701', at(1) - 701],
      ['703', at(2) - 703],
      ['703', at(3) - 703],
    ]);
    expect(read).toEqual([701, 703, 701, 703]);
  });

  test('has null for a step to a substituted scan, and a total up to it', async () => {
    const { sides, ...war } = stalled();
    const read = (ts: number) => sides.parts(ts === at(2) ? at(1) : ts);
    const parts = (ts: number) => read(ts).map((part) => ({ ...part, ts, stands_in: ts === at(2) }));
    const { answer } = await answered(3, { ...war, sides: { ...sides, parts } }, [0, 2]);
    expect(answer).toMatchObject({ steps: [{ dkp: 80 }, { dkp: null }], whole: { gains: { killcount_t5: 4 } } });
  });

  test('has no total for governors who left or joined, and no rank for outsiders', async () => {
    const readAt = async (id: number) =>
      (await answered(id, moved())).answer?.readings.map(({ captured_at }) => captured_at);
    expect((await answered(2, moved())).answer).toMatchObject({
      whole: null,
      at_least: null,
      goal: null,
      camp: 'Water',
    });
    expect(await readAt(2)).toEqual([START - 703, at(1) - 703]);
    expect((await answered(4, moved())).answer).toMatchObject({ whole: null, rank: null, steps: [] });
    expect(await readAt(4)).toEqual([at(3) - 702]);
    expect((await answered(9, moved())).answer).toMatchObject({ rank: null, camp: null, kingdom: null });
    expect((await answered(5, moved())).answer).toBeNull();
    expect((await answered(1, moved(), [3, 3])).answer).toMatchObject({ whole: null, steps: [] });
  });
});

test('sums read in many batches equal sums read at once', async () => {
  const snapshots = {
    0: [fighter(1, 701, 0), fighter(2, 702, 5), fighter(3, 703, 0, { rss_gathered: 5 })],
    1: [fighter(1, 701, 4), fighter(2, 702, 6), fighter(3, 703, 2, { rss_gathered: 9 })],
  };
  const told = async (parts: Partial<SnapshotPart>) => {
    const { sides } = warOf(snapshots, parts);
    return answerIn(await answerData(PLAN, sides, { start: START, end: at(1) }));
  };
  const [whole, batched] = [await told({}), await told({ rows: 400_000 })];
  expect(batched).toEqual(whole);
  expect(JSON.stringify(whole)).toContain('killcount_t5');
});

test('tables leave out rows of kingdoms outside the event, whoever moved', async () => {
  const { sides } = warOf({
    0: [
      fighter(2, 703, 0),
      fighter(1, 701, 0),
      fighter(9, 799, 0),
      fighter(8, 799, 0),
      fighter(6, 799, 0),
      fighter(5, 701, 0),
    ],
    3: [
      fighter(7, 799, 1),
      fighter(4, 702, 7),
      fighter(1, 703, 9, { name: 'New' }),
      fighter(9, 799, 2),
      fighter(6, 701, 3),
      fighter(5, 799, 4, { name: '' }),
    ],
  });
  const range = { start: START, end: at(3) };
  const { data: table } = await answerIn(await answerTable(PLAN, sides, range));
  expect(table).toMatchObject({
    common: 2,
    joined: 1,
    gone: 1,
    id: [1, 5, 4, 2],
    kingdom: [0, 0, 1, 2],
    kingdom_now: [2, -1, 1, -1],
    gains: { killcount_t5: [9, 4] },
  });
  const { data, diffs } = (await answerIn(await answerData(PLAN, sides, range))).data;
  expect(data.players.map((each: { governor_id: number }) => each.governor_id)).toEqual([1, 5, 4]);
  expect(Object.keys(diffs.players)).toEqual(['1', '5']);
  expect([1, 5].map((id) => 'renamed_from' in diffs.players[id])).toEqual([true, false]);
  expect([diffs.joined, diffs.gone.map(({ governor_id }: { governor_id: number }) => governor_id)]).toEqual([[4], [2]]);
});

test('a governor who is not in both snapshots has no record, and nothing is compared to know it', async () => {
  const { sides, reads } = warOf({
    0: [fighter(1, 701, 0), fighter(2, 703, 0)],
    1: [fighter(1, 701, 5), fighter(3, 703, 0)],
  });
  const range = { start: START, end: at(1) };
  expect(await answerRecord(PLAN, sides, range, 1)).toMatchObject({ governor_id: 1, kingdom: '701' });
  reads.length = 0;
  const alone: Sides = {
    ...sides,
    parts: () => {
      throw new Error('the snapshots were compared');
    },
  };
  for (const stranger of [2, 3, 99]) expect(await answerRecord(PLAN, alone, range, stranger)).toBeNull();
  // A governor who is not in the first snapshot is not looked for in the other.
  expect(reads).toEqual([0, 1, 0, 0]);
});
