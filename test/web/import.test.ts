import './page.ts';
import { act } from 'react';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import type { ImportPreview, LibraryScan } from '../../web/api/scans.ts';
import { correctable, useImport } from '../../web/routes/_signed-in/scans/-use-import.ts';
import { wholeDays } from '../../web/routes/_signed-in/scans/-whole-days.tsx';
import { eventually } from '../support/eventually.ts';
import { hooked } from './hook.tsx';

afterEach(() => vi.unstubAllGlobals());

const scan = (kingdom_id: number | null, captured_at: number | null, stage: string | null = null) =>
  ({ kingdom_id, captured_at, stage }) as ImportPreview['scans'][number];
const previewOf = (scans: ImportPreview['scans'], about: object = {}) =>
  ({ import_id: 'i', game: 'rok', range: null, headers: [], scans, ...about }) as unknown as ImportPreview;

describe('an import', () => {
  it('shows the preview of the last choice, whichever answer arrives last', async () => {
    const asked: { choice: object; answer: (preview: ImportPreview) => void }[] = [];
    const saved: object[] = [];
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
      const choice = JSON.parse(String(init.body));
      if (String(url).endsWith('/save')) {
        saved.push(choice);
        return Promise.resolve(Response.json({ success: 1, data: { scan_ids: ['own-1'] } }));
      }
      return new Promise<Response>((told) => {
        asked.push({ choice, answer: (data) => told(Response.json({ success: 1, data })) });
      });
    });
    const done = vi.fn();
    const onChoice = vi.fn();
    const file = await hooked(() => useImport(previewOf([scan(1599, 5)]), { chosen: {}, onChoice, done }), null);
    for (const [place, part] of [{ kingdom: 1600 }, { captured_at: 7 }].entries()) {
      await act(async () => file.value.change(part));
      await eventually(() => expect(asked).toHaveLength(place + 1));
    }
    expect(asked.map(({ choice }) => choice)).toEqual([{ kingdom: 1600 }, { kingdom: 1600, captured_at: 7 }]);
    await file.does(() => {
      asked[1]?.answer(previewOf([scan(1600, 7)]));
      asked[0]?.answer(previewOf([scan(1600, 5)]));
    });
    expect(file.value.preview.scans).toEqual([scan(1600, 7)]);
    expect([file.value.looking.isPending, file.value.ready]).toEqual([false, true]);
    expect(onChoice).toHaveBeenLastCalledWith({ kingdom: 1600, captured_at: 7 });
    await file.does(() => file.value.saving.mutate());
    expect([saved, done.mock.calls.length]).toEqual([[{ kingdom: 1600, captured_at: 7 }], 1]);
    await file.end();
  });
});

test('kingdom and time can be corrected if the file has only one of each', () => {
  const named = { headers: [{ header: 'KD', column: 'home_kingdom' }] };
  expect(correctable(previewOf([scan(1599, 5)]))).toEqual({ kingdom: 1599, captured_at: 5 });
  expect(correctable(previewOf([scan(1599, 5)], named))).toEqual({ kingdom: null, captured_at: 5 });
  expect(correctable(previewOf([scan(1599, 5), scan(1600, 5)]))).toEqual({ kingdom: null, captured_at: 5 });
  expect(correctable(previewOf([scan(1599, 5), scan(1600, 6)]))).toBeNull();
  expect(correctable(previewOf([scan(1599, 5, 'Pass 4')]))).toBeNull();
  expect(correctable(previewOf([scan(1599, 5)], { range: { from: 1, to: 5 } }))).toBeNull();
  expect(correctable(previewOf([]))).toBeNull();
});

test('a whole day has the latest scan of each kingdom, without sums over days', () => {
  const at = (hour: number, day = 5) => Date.UTC(2030, 0, day, hour);
  const scan = (scan_id: string, kingdom_id: number, captured_at: number, about: object = {}) =>
    ({ scan_id, kingdom_id, captured_at, game: 'rok', range_from: null, ...about }) as LibraryScan;
  const scans = [
    scan('a', 1, at(9, 19)),
    scan('b', 2, at(9, 19)),
    scan('c', 1, at(8)),
    scan('d', 1, at(7)),
    scan('e', 2, at(7)),
    scan('f', 101, at(7), { game: 'cod' }),
    scan('g', 3, at(7), { range_from: at(1) }),
  ];
  const shown = (more: boolean) => wholeDays(scans, more).map(({ key, ids }) => [key, ids]);
  expect(shown(false)).toEqual([
    ['rok 2030-01-19', ['a', 'b']],
    ['rok 2030-01-05', ['c', 'e']],
    ['cod 2030-01-05', ['f']],
  ]);
  // Older scans may be of the day that was loaded last.
  expect(shown(true)).toEqual([['rok 2030-01-19', ['a', 'b']]]);
  expect(wholeDays([], true)).toEqual([]);
});
