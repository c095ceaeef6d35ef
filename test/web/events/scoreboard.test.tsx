import { expect, test } from 'vitest';
import type { EventBoard, EventMeta } from '../../../web/api/events.ts';
import { Scoreboard } from '../../../web/components/events/scoreboard.tsx';
import { drawn } from '../drawn.tsx';

const meta = { dashboard_id: 1, game: 'rok', state: 'running', snapshots: [] } as unknown as EventMeta;
const camp = (name: string, dkp: number, behind: number) => ({
  ...{ name, dkp, behind, rank: 1, share: 50, dkp_raw: dkp, left_out: 0, power: 1, trend: [], tendency: null },
  kingdoms: [],
});

/** Returns the scoreboard's texts under "Behind", one for each camp. */
function behind(camps: ReturnType<typeof camp>[], lead: EventBoard['lead']): (string | undefined)[] {
  const board = { range: { start: 1, end: 2 }, camps, lead } as unknown as EventBoard;
  const html = drawn(<Scoreboard meta={meta} board={board} />);
  return [...html.matchAll(/Behind<\/dt><dd[^>]*>([^<]*)/g)].map(([, text]) => text);
}

test('only the camp that leads does so, and on a tie nobody is behind', () => {
  const lead = { camp: 'Fire', by: 200, since: 1 };
  expect(behind([camp('Fire', 500, 0), camp('Water', 300, 200)], lead)).toEqual(['leads', '200']);
  expect(behind([camp('Fire', 500, 0), camp('Water', 500, 0)], null)).toEqual(['0', '0']);
});
