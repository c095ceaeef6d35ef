import { expect, test } from 'vitest';
import type { EventMeta } from '../../../web/api/events.ts';
import { Download } from '../../../web/components/events/download.tsx';
import { drawn } from '../drawn.tsx';

test('the list of scans tells corrected ones from final ones, as the choice of a range does', () => {
  const states = ['live', 'final', 'corrected'] as const;
  const snapshots = states.map((state, ts) => ({ ts, state, rows: 1, missing: [] }));
  const meta = { dashboard_id: 1, kvk_id: 1, game: 'rok', snapshots } as unknown as EventMeta;
  const html = drawn(<Download meta={meta} range={{ start: 0, end: 2 }} />);
  expect(html.match(/<td>(live|final|corrected)<\/td>/g)).toEqual(
    states.toReversed().map((state) => `<td>${state}</td>`),
  );
});
