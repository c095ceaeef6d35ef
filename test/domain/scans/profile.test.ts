import { expect, it } from 'vitest';
import { changesOf, kingdomsOf } from '../../../domain/scans/profile.ts';

it('tells in which kingdom a governor was before and after each of their changes', () => {
  const readings = ['1001 A', '1001 B', '1002 B', '1002 C', '1003 D'].map((place, time) => {
    const [kingdom, alliance_tag = ''] = place.split(' ');
    return { time, row: { home_kingdom: Number(kingdom), alliance_tag } };
  });
  expect(kingdomsOf('rok', changesOf('rok', readings), 1003)).toEqual([
    { before: 1002, after: 1003 },
    { before: 1002, after: 1002 },
    { before: 1001, after: 1002 },
    { before: 1001, after: 1001 },
  ]);
});
