import { DAY_MS } from '../../domain/days.ts';
import type { Row } from '../../domain/scans/rows.ts';
import { governor } from './scans.ts';

const NOW = Date.now();
const HOUR = 3_600_000;

/** Returns numbers from 0 up to `below`, the same for the same seed. */
export function dice(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0;
    return ((state >>> 3) % 1_000_003) % below;
  };
}

export interface Scan {
  kingdom: number;
  captured_at: number;
  rows: Row[];
  source: string;
}

/** Scans of three kingdoms whose governors grow, rest, move, come back, change names, and are not always read. */
export function world(first: number, days: number, seed: number): Scan[] {
  const roll = dice(seed);
  const kingdoms = [first, first + 1, first + 2];
  const people = Array.from({ length: 150 }, (_, index) => ({
    id: first * 1000 + index,
    home: kingdoms[index % 3] as number,
    power: 90e6 - index * 3e5,
    deads: 1000,
    tier: 1 + (index % 50),
    name: `Governor ${index}`,
    tag: `A${index % 4}`,
    isActive: index % 5 > 0,
  }));
  const scans: Scan[] = [];
  for (let ago = days; ago >= 0; ago--) {
    for (const one of people) {
      if (one.isActive) {
        one.power += roll(40_000) - 15_000;
        one.deads += roll(3) === 0 ? roll(900) : 0;
        one.tier += roll(4) === 0 ? roll(30) : 0;
      }
      if (roll(400) === 0) one.home = kingdoms[roll(3)] as number;
      if (roll(300) === 0) one.name = `Renamed ${roll(1000)}`;
      if (roll(200) === 0) one.tag = `A${roll(4)}`;
    }
    for (const kingdom of kingdoms)
      for (let times = roll(8) === 0 ? 0 : 1 + Number(roll(6) === 0); times > 0; times--) {
        const isListed = roll(5) === 0;
        const depth = roll(6) === 0 ? 20 : 60;
        const there = people.filter(({ home }) => home === kingdom).sort((a, b) => b.power - a.power);
        scans.push({
          kingdom,
          captured_at: NOW - ago * DAY_MS - (times * 3 + (kingdom % 3)) * HOUR,
          source: roll(9) === 0 ? 'made up (time of the file)' : 'made up',
          rows: there.slice(0, depth).map(({ id, power, deads, tier, name, tag }) => {
            const isRead = !isListed && roll(30) > 0;
            const profile = isRead
              ? { killpoints: 20 * tier, killcount_t5: tier, deads }
              : {
                  ...{ killpoints: null, killcount_t5: null, deads: null, town_center: null, highest_power: null },
                  ...{ killcount_t1: null, killcount_t2: null, killcount_t3: null, killcount_t4: null },
                };
            return governor(id, power, { name, alliance_tag: tag, ...profile });
          }),
        });
        // A governor may move between two scans of a day, so that two kingdoms show them.
        const mover = people[roll(150)];
        if (mover && roll(3) === 0) mover.home = kingdoms[roll(3)] as number;
      }
  }
  return scans.sort((a, b) => a.captured_at - b.captured_at);
}
