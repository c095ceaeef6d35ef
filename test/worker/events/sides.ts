import type { EventPlan } from '../../../domain/events/event.ts';
import { release } from '../../../domain/release.ts';
import { type Row, tableOf } from '../../../domain/scans/rows.ts';
import type { SnapshotPart } from '../../../worker/models/events/event-snapshots.ts';
import type { Sides } from '../../../worker/services/events/answer-dashboard.ts';
import { governor } from '../scans.ts';

/** A made-up event with snapshots in memory, to test its answers. */

const HOUR = 3_600_000;
export const START = 1_750_000_000_000;
export const at = (hour: number): number => START + hour * HOUR;

export const PLAN: EventPlan = {
  game: 'rok',
  kvk_id: 'T',
  name: 'Trial',
  camps: [
    { name: 'Fire', kingdoms: ['701', '702'] },
    { name: 'Water', kingdoms: ['703'] },
  ],
  sponsored_text: '',
  season: '',
  refresh_rate: 60,
  publication_delay: 0,
  gather: false,
  depth: 300,
  start: START,
  end: at(1000),
  dates: {},
  goals: [],
  exempt: [],
  weights: { killcount_t5: 20 },
};

/** Returns a governor with a hundred kills before the war, because a row without any looks unread. */
export function fighter(id: number, home_kingdom: number, won: number, more: Row = {}): Row {
  const kills = 100 + won;
  return governor(id, 50e6 - id, { home_kingdom, killcount_t5: kills, killpoints: 20 * kills, ...more });
}

/** Snapshots by hour, and which of them were read. */
export function warOf(snapshots: Readonly<Record<number, Row[]>>, parts: Partial<SnapshotPart> = {}) {
  const moments = Object.keys(snapshots).map((hour) => at(Number(hour)));
  const rowsAt = (ts: number) => snapshots[(ts - START) / HOUR] ?? [];
  const reads: number[] = [];
  const kept = new Map<string, Parameters<Sides['keepPoint']>[2]>();
  const read = (ts: number) => {
    reads.push((ts - START) / HOUR);
    return tableOf('rok', rowsAt(ts));
  };
  const sides: Sides = {
    parts: (ts) =>
      [701, 702, 703].map((kingdom_id) => ({
        ts,
        kingdom_id,
        key: `${kingdom_id}-${ts}`,
        captured_at: ts - kingdom_id,
        rows: rowsAt(ts).length,
        stands_in: false,
        ...parts,
      })),
    side: async (ts) => read(ts),
    // Overwrites returned sides, so that later reads of them fail the test.
    lend: async (ts) => {
      const table = read(ts);
      return { table, back: () => release(Object.values(table.numbers).map(({ buffer }) => buffer)) };
    },
    keptPoint: (range, metric) => kept.get(JSON.stringify([range, metric])) ?? null,
    keepPoint: (range, metric, point) => void kept.set(JSON.stringify([range, metric]), point),
  };
  return { moments, sides, reads };
}

/** Joins an answer's chunks. */
export const answerIn = async (pieces: Iterable<Uint8Array<ArrayBuffer>>) =>
  JSON.parse(await new Blob([...pieces].map((piece) => piece.slice())).text());
