import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { type GovernorWar, governorWarsQuery } from '../../../web/api/events.ts';
import Wars from '../../../web/components/events/wars.tsx';
import { drawn } from '../drawn.tsx';

const war = {
  ...{ dashboard_id: 7, game: 'rok', kvk_id: 'K', event: 'War', state: 'ended', range: { start: 1, end: 2 } },
  ...{ kingdom: '701', camp: 'Fire', dkp: null, dkp_raw: 10, event_rank: null, event_of: 2, rank: null, of: 2 },
  ...{ percentile: null, goal: null, doubt: 'one_empty', doubted: ['killcount_t5'] },
  gains: { killcount_t4: 1234, killcount_t5: 987_654_321, deads: 5 },
} as unknown as GovernorWar;

test('a governor’s wars mark unverified gains', () => {
  const client = new QueryClient();
  client.setQueryData(governorWarsQuery(12).queryKey, { governor_id: 12, wars: [war], more: false });
  const html = drawn(<Wars game="rok" one={{ kind: 'governor', id: 12 }} />, client);
  expect(html).toContain('title="1,234"');
  expect(html).not.toContain('title="987,654,321"');
  expect(html).toContain('Raw: 987,654,321.');
});
