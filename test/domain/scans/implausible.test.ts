import { describe, expect, it } from 'vitest';
import { agree, doubtsOf, type RankPart } from '../../../domain/scans/implausible.ts';
import { type Row, tableOf } from '../../../domain/scans/rows.ts';

const person = (rank: number, more: Row = {}): Row => ({
  governor_id: 1000 + rank,
  name: `Governor ${rank}`,
  power: 100_000_000 - rank * 100_000,
  ...more,
});
const people = (from: number, to: number, more: (rank: number) => Row = () => ({})): Row[] =>
  Array.from({ length: to - from + 1 }, (_, index) => person(from + index, more(from + index)));
const part = (from_rank: number, rows: Row[], ranks = 100): RankPart => ({ from_rank, ranks, ...tableOf('rok', rows) });
const why = (parts: RankPart[], earlier: Row[] | null): (string | undefined)[] =>
  doubtsOf('rok', parts, earlier && tableOf('rok', earlier)).map((doubt) => doubt?.why);

const earlier = people(1, 400);

describe('rows of a kingdom', () => {
  it('are plausible if they match the previous scan, also after months of growth and some moves', () => {
    const grown = (from: number, to: number) =>
      people(from, to, (rank) => ({ power: 3 * (200_000_000 - rank * 100_000) }));
    const moved = people(101, 200, (rank) => ({ governor_id: (rank % 10 < 8 ? 90_000 : 1000) + rank }));
    expect(why([part(1, grown(1, 100)), part(101, moved), part(201, grown(201, 300))], earlier)).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  it.each<[string, Row[], RegExp]>([
    ['the same name', people(1, 100, () => ({ name: 'AAAA' })), /^100 of 100 rows have the same name, 'AAAA'\.$/],
    ['the same power', people(1, 100, () => ({ power: 7 })), /^100 of 100 rows have the same power, '7'\.$/],
  ])('cannot all have %s, whether or not there was a scan before', (_, rows, text) => {
    for (const known of [earlier, null]) {
      const [doubt] = doubtsOf('rok', [part(1, rows)], known && tableOf('rok', known));
      expect(doubt?.impossible).toBe(true);
      expect(doubt?.why).toMatch(text);
    }
  });

  it.each<[string, Row[], RegExp]>([
    [
      'other people',
      people(1, 100, (rank) => ({ governor_id: 50_000 + rank })),
      /^0 of 100 governors were in the scan/,
    ],
    ['a power of another order', people(1, 100, (rank) => ({ power: rank })), /^The median power is /],
    ['people from the end of the ranking', people(301, 400, (rank) => ({ power: 200_000_000 - rank })), /ranks away/],
    ['a third of the rows', people(1, 34), /^34 rows where the scan before had 100\.$/],
  ])('are doubted if the scan before had other ones: %s', (_, rows, text) => {
    const [doubt] = doubtsOf('rok', [part(1, rows)], tableOf('rok', earlier));
    expect(doubt?.impossible).toBe(false);
    expect(doubt?.why).toMatch(text);
    expect(why([part(1, rows)], null)).toEqual([undefined]);
    // Some dozen governors are too little to compare with.
    expect(why([part(1, rows)], earlier.slice(0, 49))).toEqual([undefined]);
  });

  it('are compared only within the previous scan’s depth, but not near its end', () => {
    const others = (from: number, to: number) => people(from, to, (rank) => ({ governor_id: 50_000 + rank }));
    expect(why([part(1, people(1, 100)), part(401, others(401, 500))], earlier)).toEqual([undefined, undefined]);
    expect(why([part(301, others(301, 400))], earlier)).toEqual([undefined]);
    expect(why([part(201, others(201, 300))], earlier)).toEqual([expect.stringContaining('0 of 100')]);
  });

  it('may be fewer than before, but without a gap', () => {
    expect(why([part(1, people(1, 100)), part(101, people(101, 200)), part(201, people(201, 220))], earlier)).toEqual([
      ...[undefined, undefined, undefined],
    ]);
    expect(why([part(1, people(1, 49)), part(101, people(101, 102))], null)).toEqual([
      '49 rows on 100 ranks, and more rows after them.',
      undefined,
    ]);
    expect(why([part(1, people(1, 50)), part(101, people(101, 102))], null)).toEqual([undefined, undefined]);
    // Ten ranks were ordered.
    expect(why([part(1, people(1, 10), 10)], earlier)).toEqual([undefined]);
  });
});

describe('two readings', () => {
  const first = tableOf('rok', people(1, 100));
  it.each<[boolean, string, Row[]]>([
    [true, 'the same people', people(1, 100)],
    [true, 'a fifth of other people', people(21, 120)],
    [false, 'more of other people', people(22, 121)],
    [false, 'half of the rows', people(1, 50)],
    [false, 'another power', people(1, 100, (rank) => ({ power: 7 + rank }))],
    [false, 'nobody', []],
  ])('agree: %s, of %s', (expected, _, rows) => {
    expect(agree('rok', first, tableOf('rok', rows))).toBe(expected);
  });
  it('agree if both found nobody', () => {
    expect(agree('rok', tableOf('rok', []), tableOf('rok', []))).toBe(true);
  });
});
