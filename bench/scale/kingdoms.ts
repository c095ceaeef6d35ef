import { DAY_MS } from '../../domain/days.ts';
import { addScan, emptyHistory, type History, type HistoryScan, type Seen } from '../../domain/history/history.ts';
import { type Shown, shownIn } from '../../domain/history/state.ts';
import { tableOf } from '../../domain/scans/rows.ts';
import { simulatedWorld } from '../../fleet/sources/world.ts';

/** A simulated kingdom whose governors' figures grow as in real pairs of scans. */

/** Returns numbers from 0 up to 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export type Pace = 'ordinary' | 'war';

/** Shares of governors whose figures change on a day: power, kills and dead troops. */
const SHARES: Readonly<Record<Pace, { power: number; kills: number; deads: number }>> = {
  ordinary: { power: 0.8, kills: 0.25, deads: 0.15 },
  war: { power: 1, kills: 0.85, deads: 0.8 },
};

const FIRST_DAY = 20_000;

export const scanOn = (day: number, kingdom_id = 1): HistoryScan => ({
  kingdom_id,
  captured_at: (FIRST_DAY + day) * DAY_MS + 5 * 3_600_000,
  by_file: false,
});

/** Yields the figures of each day's scan, ranked by power. */
export function* daysOf(governors: number, days: number, pace: Pace, seed = 7): Generator<Seen[]> {
  const roll = random(seed);
  const share = SHARES[pace];
  const people = Array.from({ length: governors }, (_, index) => ({
    row: index,
    id: 10_000_000 + Math.floor(roll() * 180_000_000),
    figures: [120e6 - index * 9e4, Math.floor(roll() * 4e9), Math.floor(roll() * 8e6), 1e6 + index, 3e5 + index],
  }));
  for (let day = 0; day < days; day++) {
    for (const { figures } of people) {
      const add = (at: number, most: number) => {
        figures[at] = Math.max(0, (figures[at] as number) + Math.floor(roll() * most));
      };
      if (roll() < share.power) add(0, 300_000);
      if (roll() < share.power) add(0, -200_000);
      if (roll() < share.kills)
        for (const [at, most] of [
          [1, 9e5],
          [3, 4e4],
          [4, 2e4],
        ] as const)
          add(at, most);
      if (roll() < share.deads) add(2, 30_000);
    }
    yield people
      .toSorted((a, b) => (b.figures[0] as number) - (a.figures[0] as number))
      .map(({ id, figures, row }, index) => ({ governor_id: id, values: [...figures, index + 1], row }));
  }
}

/** Returns what a scan with all profiles shows besides the figures of a day. */
export const profilesOf = (governors: number): Shown =>
  shownIn(tableOf('rok', simulatedWorld().rows('rok', 1001, Date.UTC(2026, 10, 1), governors)));

/** Returns the history of `days` days, of scans with all profiles. */
export function historyOf(governors: number, days: number, pace: Pace): History {
  const history = emptyHistory();
  const shown = profilesOf(governors);
  let day = 0;
  for (const seen of daysOf(governors, days, pace)) addScan(history, scanOn(day++), seen, shown);
  return history;
}
