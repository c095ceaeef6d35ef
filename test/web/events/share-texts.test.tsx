import { expect, test } from 'vitest';
import type { EventBoard, EventMeta } from '../../../web/api/events.ts';
import { Scoreboard } from '../../../web/components/events/scoreboard.tsx';
import { discordBlock } from '../../../web/components/events/share-texts.ts';
import { ranksIn } from '../../../web/components/events/standings.ts';
import { drawn } from '../drawn.tsx';

const meta = {
  ...{ dashboard_id: 1, game: 'rok', kvk_id: 'K', state: 'running' },
  name: 'War',
  snapshots: [{ ts: 1 }, { ts: 2 }],
} as unknown as EventMeta;
const camp = (name: string, dkp: number | null) => ({
  name,
  dkp,
  rank: dkp && 1,
  left_out: 0,
  trend: [],
  kingdoms: [],
});
const kingdom = (name: string, dkp: number | null) => ({ kingdom: name, camp: 'Fire', dkp });

function board(camps: ReturnType<typeof camp>[], kingdoms: ReturnType<typeof kingdom>[] = []): EventBoard {
  return { range: { start: 1, end: 2 }, camps, kingdoms, lead: null } as unknown as EventBoard;
}
const lines = (shown: EventBoard, of = meta) => discordBlock(of, { kind: 'event', board: shown }).split('\n');

test('a shared event says of its leader what the page says', () => {
  for (const camps of [
    [camp('Fire', 5), camp('Water', null)],
    [camp('Fire', 5), camp('Water', 5)],
  ]) {
    const [, , said = ''] = lines(board(camps));
    expect(drawn(<Scoreboard meta={meta} board={board(camps)} />)).toContain(said);
  }
  const won = { ...board([camp('Fire', 7), camp('Water', 5)]), lead: { camp: 'Fire', by: 2, since: 1 } };
  expect(lines(won)[2]).toBe('Fire leads by 2 DKP');
  expect(lines(won, { ...meta, state: 'ended' })[2]).toBe('Fire won by 2 DKP');
  expect(lines({ ...won, range: { start: 2, end: 2 } }, { ...meta, state: 'ended' })[2]).toBe('Fire leads by 2 DKP');
});

test('kingdoms with the same score share a rank, and those without a known one have none', () => {
  const shown = board([], [kingdom('701', 9), kingdom('702', 9), kingdom('703', 4), kingdom('704', null)]);
  expect(ranksIn(shown)).toEqual([1, 1, 3, null]);
  expect(
    lines(shown)
      .slice(-5, -1)
      .map((line) => line.trim().split(/\s+/)[0]),
  ).toEqual(['1', '1', '3', '?']);
});
