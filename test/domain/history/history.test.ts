import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../domain/days.ts';
import { historyBytes, readHistory } from '../../../domain/history/file.ts';
import {
  addLines,
  addScan,
  dayNumber,
  dropBefore,
  emptyHistory,
  type History,
  type HistoryScan,
  replaceScans,
  type Seen,
  scanOf,
} from '../../../domain/history/history.ts';
import { bytesOf, DAY_FIGURES, entriesOf, entryOn, figureOf } from '../../../domain/history/line.ts';
import { shownIn, stateOf } from '../../../domain/history/state.ts';
import { type Row, tableOf } from '../../../domain/scans/rows.ts';

/** A plain model of a history: every reading as it came. */
interface Reading extends Seen {
  scan: HistoryScan;
}

const DAY_ZERO = 20_000 * DAY_MS;
const scan = (day: number, kingdom_id = 7, hour = 5): HistoryScan => ({
  kingdom_id,
  captured_at: DAY_ZERO + day * DAY_MS + hour * 3_600_000,
  by_file: day % 5 === 0,
});

const READ_LATER = [1, 2, 3, 4];
const isRead = ({ values }: Seen): boolean => READ_LATER.some((at) => !Number.isNaN(values[at] as number));
const newest = (readings: readonly Reading[]): Reading | undefined =>
  readings.toSorted((a, b) => b.scan.captured_at - a.scan.captured_at)[0];

/** Returns a governor's expected history: one line a day, from the readings of that day. */
function expected(readings: readonly Reading[], governor: number) {
  const days = Map.groupBy(
    readings.filter(({ governor_id }) => governor_id === governor),
    ({ scan: { captured_at } }) => dayNumber(captured_at),
  );
  return [...days.entries()]
    .sort(([a], [b]) => b - a)
    .map(([day, all]) => {
      const [last, read] = [newest(all) as Reading, newest(all.filter(isRead))];
      const values = last.values.map((value, at) => (READ_LATER.includes(at) ? (read ?? last).values[at] : value));
      return {
        day,
        ...last.scan,
        figures: values.map((value) => (Number.isNaN(value as number) ? null : value)),
      };
    });
}

const told = (history: History, governor: number) => {
  const line = history.lines.get(governor);
  return [...(line ? entriesOf(line) : [])].map(([entry]) => ({
    day: entry.day,
    ...scanOf(history, entry),
    figures: DAY_FIGURES.map((figure) => figureOf(entry, figure)),
  }));
};

const again = (history: History): History => readHistory(historyBytes(history)) as History;

/** Returns numbers from 0 up to `below`, the same for the same seed. */
function dice(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return ((state >>> 3) % 1_000_003) % below;
  };
}

const BIG = Number.MAX_SAFE_INTEGER;

function readingsOf(seed: number, kingdoms: readonly number[]): Reading[][] {
  const roll = dice(seed);
  const scans = new Map<string, HistoryScan>();
  for (let count = 1 + roll(30); count > 0; count--) {
    const one = scan(roll(25), kingdoms[roll(kingdoms.length)], roll(24));
    scans.set(`${one.captured_at}`, one);
  }
  return [...scans.values()].map((each) =>
    [1, 2, 3, BIG]
      .filter(() => roll(4) > 0)
      .map((governor_id) => {
        const figure = () => [roll(5), roll(1e6), 3e9 + roll(1000), BIG - roll(2)][roll(4)] as number;
        const read = roll(3) > 0;
        const profile = [0, 0, 0, 0].map(() => (read && roll(4) > 0 ? figure() : Number.NaN));
        return { governor_id, scan: each, values: [figure(), ...profile, 1 + roll(900)] };
      }),
  );
}

const GOVERNORS = [1, 2, 3, BIG];

describe('a history', () => {
  it('has each day once after a round trip, in whatever order scans arrive', () => {
    for (let seed = 1; seed <= 150; seed++) {
      const scans = readingsOf(seed, [7, 8]);
      const roll = dice(seed + 1000);
      const order = seed % 2 ? scans : scans.toSorted(() => roll(3) - 1);
      let history = emptyHistory();
      for (const readings of order) {
        if (readings[0]) addScan(history, readings[0].scan, readings);
        history = again(history);
      }
      for (const id of GOVERNORS) expect(told(history, id), `seed ${seed}`).toEqual(expected(scans.flat(), id));
    }
  });

  it('gives the entry of each day of a line, and none between', () => {
    const days = Array.from({ length: 60 }, (_, index) => 19_995 + index);
    for (let seed = 1; seed <= 30; seed++) {
      const history = emptyHistory();
      for (const readings of readingsOf(seed, [7])) if (readings[0]) addScan(history, readings[0].scan, readings);
      for (const line of [...history.lines.values(), ...again(history).lines.values()]) {
        const entries = new Map([...entriesOf(line)].map(([entry]) => [entry.day, entry]));
        expect(days.map((day) => entryOn(line, day))).toEqual(days.map((day) => entries.get(day)));
      }
    }
  });

  it('does not change if a scan is added again', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const scans = readingsOf(seed, [7]);
      const history = emptyHistory();
      const add = () => scans.map((readings) => readings[0] && addScan(history, readings[0].scan, readings));
      add();
      const before = historyBytes(history);
      expect(add().filter(Boolean)).toEqual([]);
      expect(historyBytes(history)).toEqual(before);
    }
  });

  it('joins the lines of governors who moved, and joining again changes nothing', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const scans = readingsOf(seed, [7, 8]);
      const histories = new Map([7, 8].map((id) => [id, emptyHistory()]));
      const [here, there] = [histories.get(7) as History, histories.get(8) as History];
      for (const readings of scans)
        if (readings[0]) addScan(histories.get(readings[0].scan.kingdom_id) as History, readings[0].scan, readings);
      addLines(here, there, GOVERNORS);
      const bytes = historyBytes(here);
      for (const id of GOVERNORS) expect(told(again(here), id), `seed ${seed}`).toEqual(expected(scans.flat(), id));
      expect(addLines(here, there, GOVERNORS)).toBe(false);
      expect(historyBytes(here)).toEqual(bytes);
    }
  });

  const historyOf = (scans: readonly Reading[][]): History => {
    const history = emptyHistory();
    for (const readings of scans) if (readings[0]) addScan(history, readings[0].scan, readings);
    return history;
  };
  const isOf = (kingdom: number) => (readings: readonly Reading[]) => readings[0]?.scan.kingdom_id === kingdom;
  const isOther = (kingdom: number) => (one: HistoryScan) => one.kingdom_id !== kingdom;

  it('drops old days', () => {
    for (let seed = 1; seed <= 100; seed++) {
      const scans = readingsOf(seed, [7, 8]);
      const short = historyOf(scans);
      dropBefore(short, 20_010);
      for (const id of GOVERNORS)
        expect(told(again(short), id)).toEqual(expected(scans.flat(), id).filter(({ day }) => day >= 20_010));
    }
  });

  it('keeps what a day of several scans has of the others when those of a kingdom are replaced', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const scans = readingsOf(seed, [7, 8, 9]);
      const history = historyOf(scans);
      for (const kingdom of [7, 8, 9]) {
        const { incomplete } = replaceScans(history, kingdom, historyOf(scans.filter(isOf(kingdom))), isOther(kingdom));
        expect([...incomplete], `seed ${seed}`).toEqual([]);
        for (const id of GOVERNORS)
          expect(told(again(history), id), `seed ${seed}`).toEqual(expected(scans.flat(), id));
      }
    }
  });

  it('drops recalled scans, and names the kingdoms whose scans they hid', () => {
    let hidden = 0;
    for (let seed = 1; seed <= 300; seed++) {
      const scans = readingsOf(seed, [7, 8, 9]);
      const history = historyOf(scans);
      const left = scans.filter((readings, index) => index % 3 > 0 || !isOf(7)(readings));
      const { incomplete } = replaceScans(history, 7, historyOf(left.filter(isOf(7))), isOther(7));
      for (const { captured_at, kingdom_id } of GOVERNORS.flatMap((id) => told(again(history), id)))
        expect(
          left.flat().some(({ scan: one }) => one.captured_at === captured_at && one.kingdom_id === kingdom_id),
        ).toBe(true);
      for (const other of incomplete) {
        const again = historyOf(left.filter(isOf(other)));
        expect([...replaceScans(history, other, again, isOther(other)).incomplete]).toEqual([]);
      }
      for (const id of GOVERNORS) expect(told(again(history), id), `seed ${seed}`).toEqual(expected(left.flat(), id));
      hidden += incomplete.size;
    }
    expect(hidden).toBeGreaterThan(10);
  });

  it('adds a day by one short entry per governor before the earlier bytes', () => {
    const history = emptyHistory();
    const values = [50_000_000, 2_000_000_000, 1000, 10, 20, 5];
    for (let day = 0; day < 90; day++)
      addScan(history, scan(day), [{ governor_id: 1, values: values.map((value) => value + day) }]);
    const line = history.lines.get(1);
    expect(line && bytesOf(line).length).toBe(89 * 7);
    addScan(history, scan(90), [{ governor_id: 1, values: [1, Number.NaN, Number.NaN, Number.NaN, Number.NaN, 5] }]);
    expect(
      told(again(history), 1)
        .slice(0, 2)
        .map(({ figures }) => figures),
    ).toEqual([[1, null, null, null, null, 5], values.map((value) => value + 89)]);
  });

  it('keeps each column of a profile: whole, negative, fractional, unread and text', () => {
    const others: Row[] = [
      { helps_given: -3, ark_kills_per_battle: 2.5, civilization: 'Rome', ark_wins: 2 ** 53 },
      { helps_given: 130, ark_kills_per_battle: 7, rss_gathered: 2 ** 40 + 1, utc_offset: '+2' },
    ];
    const rows = others.map((each, row) => ({
      governor_id: row + 1,
      name: `Ann ${row}`,
      killpoints: 300,
      deads: row,
      ...each,
    }));
    const history = emptyHistory();
    const seen = rows.map(({ governor_id }, row) => ({ governor_id, values: [9, 300, row, 1, 1, 1], row }));
    addScan(history, scan(1), seen, shownIn(tableOf('rok', rows)));
    const read = readHistory(historyBytes(history)) as History;
    for (const [row, expected] of others.entries()) {
      const state = stateOf(read.lines.get(row + 1)?.state as Uint8Array, read.columns);
      expect([state.name, state.figures.score, state.figures.deads, state.figures.t1]).toEqual([
        `Ann ${row}`,
        300,
        row,
        null,
      ]);
      expect(state.others).toEqual(expected);
    }
  });

  it('is null for another version, and refused if truncated', () => {
    const history = emptyHistory();
    addScan(history, scan(1), [{ governor_id: 1, values: [1, 2, 3, 4, 5, 6] }]);
    const bytes = historyBytes(history);
    expect(() => readHistory(bytes.slice(0, 20))).toThrow('ends too early');
    const other = bytes.slice();
    other[3] = 99;
    expect(readHistory(other)).toBe(null);
  });
});
