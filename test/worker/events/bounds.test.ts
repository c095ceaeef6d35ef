import { describe, expect, test } from 'vitest';
import type { EventPlan } from '../../../domain/events/event.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import {
  answerBoard,
  answerData,
  answerFile,
  answerLines,
  answerTable,
} from '../../../worker/services/events/answer-dashboard.ts';
import { answerIn, at, fighter, PLAN, START, warOf } from './sides.ts';

/** Answers written in several chunks, with many camps or points, and with losses only. */

const RANGE = { start: START, end: at(1) };

describe('six thousand governors, in answers of many chunks', () => {
  const GOVERNORS = 6000;
  const ids = Array.from({ length: GOVERNORS }, (_, index) => index + 1);
  /** Kills of a governor; the strongest has the fewest. */
  const won = (id: number) => id % 2500;
  const isDoubted = (id: number) => id % 1000 === 999;
  const home = (id: number) => 701 + (id % 3);
  const { sides } = warOf({
    0: [...ids, 10_001, 10_002].map((id) => fighter(id, home(id), 0, { name: `Old “${id}”` })),
    1: [...ids, 20_001].map((id) =>
      fighter(id, home(id), isDoubted(id) ? -1 : won(id), {
        name: id % 700 === 0 ? `New ${id}` : `Old “${id}”`,
        alliance_tag: id % 5 === 0 ? null : `T${id % 4}`,
      }),
    ),
  });

  test('are in the table once, each with their own figures', async () => {
    const chunks = [...(await answerTable(PLAN, sides, RANGE))].map((chunk) => chunk.slice());
    expect(chunks.length).toBeGreaterThan(1);
    const { data } = await answerIn(chunks);
    expect([data.common, data.joined, data.gone]).toEqual([GOVERNORS, 1, 2]);
    expect(data.id).toEqual([...ids, 20_001, 10_001, 10_002]);
    expect(data.gains.killcount_t5).toEqual(ids.map((id) => (isDoubted(id) ? -1 : won(id))));
    expect(data.tag.slice(0, GOVERNORS).map((tag: number) => data.tags[tag] ?? null)).toEqual(
      ids.map((id) => (id % 5 === 0 ? null : `T${id % 4}`)),
    );
    expect(data.kingdom.map((key: number) => data.kingdoms[key])).toEqual(
      [...ids, 20_001, 10_001, 10_002].map((id) => `${home(id)}`),
    );
    expect(data.doubts.killcount_t5.fell).toEqual(ids.filter(isDoubted).map((id) => id - 1));
    expect(Object.entries(data.renamed)).toEqual(
      ids.filter((id) => id % 700 === 0).map((id) => [`${id - 1}`, `Old “${id}”`]),
    );
  });

  test('are in the data once, rows by DKP and gains by id', async () => {
    const chunks = [...(await answerData(PLAN, sides, RANGE))].map((chunk) => chunk.slice());
    expect(chunks.length).toBeGreaterThan(2);
    const { data, diffs } = (await answerIn(chunks)).data;
    const counted = ids.filter((id) => !isDoubted(id)).sort((a, b) => won(b) - won(a) || a - b);
    const others = [...ids.filter(isDoubted), 20_001];
    expect(data.players.map((row: Row) => row.governor_id)).toEqual([...counted, ...others]);
    expect(Object.keys(diffs.players)).toHaveLength(GOVERNORS);
    for (const id of ids)
      expect(diffs.players[id]).toMatchObject({ kingdom: `${home(id)}`, dkp: isDoubted(id) ? null : 20 * won(id) });
    expect(diffs.players[700].renamed_from).toBe('Old “700”');
    expect(diffs.players[999].doubt[0]).toMatchObject({ reason: 'fell' });
    expect([diffs.joined, diffs.gone.map((row: Row) => row.governor_id)]).toEqual([[20_001], [10_001, 10_002]]);
  });

  test('are in the file once, ranked', async () => {
    const CSV = { type: 'csv', kingdom: null, titled: false } as const;
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of await answerFile(PLAN, sides, RANGE, CSV)) pieces.push(new Uint8Array(piece));
    const [, ...lines] = (await new Blob(pieces).text()).trimEnd().split('\r\n');
    expect(lines).toHaveLength(GOVERNORS + 1);
    expect(lines.filter((line) => line.startsWith(','))).toHaveLength(ids.filter(isDoubted).length + 1);
    expect(lines[0]?.split(',').slice(0, 3)).toEqual(['1', 'Fire', '701']);
  });
});

describe('five camps', () => {
  const names = ['Fire', 'Earth', 'Water', 'Wind', 'Light'];
  const plan: EventPlan = {
    ...PLAN,
    camps: names.map((name, camp) => ({ name, kingdoms: [`${710 + camp}`, `${720 + camp}`] })),
    power_off: 0.000_01,
  };
  const side = (won: (camp: number) => number) =>
    names.flatMap((_, camp) => [fighter(camp + 1, 710 + camp, won(camp)), fighter(camp + 11, 720 + camp, 1)]);
  const { sides, moments } = warOf({
    0: side(() => 0),
    1: side((camp) => camp * 10),
    2: side((camp) => camp * 30),
  });

  test('each have their kingdoms, sums and a share, and shares add up to 100', async () => {
    const board = await answerBoard(plan, sides, moments, { start: START, end: at(2) });
    // 20 points for each kill, less about 500 for the power of each of two governors.
    expect(board.camps.map(({ name, dkp }) => [name, Math.round(dkp ?? 0)])).toEqual([
      ['Light', 1400],
      ['Wind', 800],
      ['Water', 200],
      ['Earth', -400],
      ['Fire', -1000],
    ]);
    const shares = board.camps.map(({ share }) => share ?? Number.NaN);
    expect(shares.map(Math.round)).toEqual([58, 33, 8, 0, 0]);
    expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(100, 9);
    expect(board.camps.map(({ kingdoms }) => kingdoms)).toEqual(
      [4, 3, 2, 1, 0].map((n) => [`${710 + n}`, `${720 + n}`]),
    );
    expect(board.camps.map(({ behind }) => Math.round(behind ?? 0))).toEqual([0, 600, 1200, 1800, 2400]);
    expect(board.lead).toMatchObject({ camp: 'Light', since: at(2) });
    expect(Math.round(board.lead?.by ?? 0)).toBe(600);
    expect(board.kingdoms.map(({ kingdom }) => kingdom).slice(0, 2)).toEqual(['714', '713']);
    expect(board.kingdoms).toHaveLength(10);
  });

  test('are each in the lines and in the data', async () => {
    const range = { start: START, end: at(2) };
    const lines = await answerLines(plan, sides, moments, range, ['killcount_t5']);
    expect(names.map((name) => lines.camps[name]?.gained.killcount_t5)).toEqual(
      names.map((_, camp) => [0, camp * 10, camp * 30]),
    );
    const { data, diffs } = (await answerIn(await answerData(plan, sides, range))).data;
    expect(Object.keys(diffs.camps)).toEqual(names);
    expect(names.map((name) => diffs.camps[name].killcount_t5)).toEqual([0, 30, 60, 90, 120]);
    expect(Object.keys(data.kingdoms)).toHaveLength(10);
  });
});

test('nobody leads and no camp has a share if all have lost', async () => {
  const plan: EventPlan = { ...PLAN, power_off: 1 };
  const { sides, moments } = warOf({
    0: [fighter(1, 701, 0), fighter(3, 703, 0, { power: 80e6 })],
    1: [fighter(1, 701, 1), fighter(3, 703, 9, { power: 70e6 })],
    2: [fighter(1, 701, 2), fighter(3, 703, 9, { power: 60e6 })],
  });
  const { camps, lead } = await answerBoard(plan, sides, moments, { start: START, end: at(2) });
  expect(camps.map(({ name, rank, share }) => [name, rank, share])).toEqual([
    ['Fire', 1, null],
    ['Water', 2, null],
  ]);
  expect(camps.map(({ behind }) => behind)).toEqual([0, 80e6 - 180 - (50e6 - 1 - 40)]);
  expect(camps.map(({ power_gain }) => power_gain)).toEqual([0, -20e6]);
  expect(lead).toBeNull();
});

test('a long event has at most 50 points, with both ends and exact figures', async () => {
  const hours = Array.from({ length: 130 }, (_, hour) => hour);
  const { sides, moments } = warOf(
    Object.fromEntries(hours.map((hour) => [hour, [fighter(1, 701, hour), fighter(3, 703, 2 * hour)]])),
  );
  const lines = await answerLines(PLAN, sides, moments, { start: START, end: at(129) }, ['dkp', 'killcount_t5']);
  expect(lines.ts.length).toBeLessThanOrEqual(48 + 2);
  expect(lines.ts.length).toBeGreaterThan(24);
  expect([lines.ts[0], lines.ts.at(-1)]).toEqual([at(0), at(129)]);
  const drawn = lines.ts.map((ts) => (ts - START) / (at(1) - START));
  expect(lines.camps.Fire?.gained.dkp).toEqual(drawn.map((hour) => 20 * hour));
  expect(lines.camps.Water?.gained.killcount_t5).toEqual(drawn.map((hour) => 2 * hour));
  expect(lines.kingdoms['703']?.now.killcount_t5).toEqual(drawn.map((hour) => 100 + 2 * hour));
});
