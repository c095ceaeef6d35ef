import { describe, expect, test } from 'vitest';
import { takeLocaleFrom } from '../../../domain/language/current.ts';
import { cardOf, cardSvg, ownCardOf } from '../../../worker/files/card.ts';

/** The picture of a board: its words, and the positions of its elements. */

describe('a card', () => {
  const info = { day: '2026-03-10', total: 1234 } as never;
  const governor = (rank: number, power: number, more = {}) =>
    ({ rank, kingdom_id: 7, governor_id: 9, alliance_tag: 'T', name: 'Ash', power, killpoints: 3, ...more }) as never;

  test('shows a board in the words of its game', () => {
    const rows = [1, 2, 3, 4, 5, 6].map((rank) => governor(rank, 10 - rank));
    const card = cardOf('rok', 'governor-power', rows, info);
    expect([card.title, card.line, card.rows.length]).toEqual([
      'Governors by power',
      'Rise of Kingdoms · 10 Mar 2026 · 1,234 ranked',
      5,
    ]);
    expect(card.rows[0]).toEqual({ rank: 1, name: 'Ash', otherwise: 'Governor 9', about: '[T] Kingdom 7', value: 9 });
    const first = (board: Parameters<typeof cardOf>[1], row: object, game: 'rok' | 'cod' = 'rok') =>
      cardOf(game, board, [row as never], { total: 1 } as never).rows[0];
    expect(first('governor-score', governor(1, 5, { alliance_tag: '' }))).toMatchObject({
      about: 'Kingdom 7',
      value: 3,
    });
    expect(first('governor-score', governor(1, 5, { killpoints: null, merits: 4 }), 'cod')).toMatchObject({ value: 4 });
    expect(first('governor-score', governor(1, 5, { killpoints: null }))).toMatchObject({ value: null });
    const alliance = { rank: 2, kingdom_id: 7, alliance_tag: 'T', alliance_name: 'Moss', power: 6 };
    expect(first('alliance-power', alliance)).toMatchObject({
      name: 'Moss',
      otherwise: 'Alliance',
      about: '[T] Kingdom 7',
    });
    // A name equal to the tag is not repeated.
    expect(first('alliance-power', { ...alliance, alliance_name: '' })).toMatchObject({
      name: 'T',
      about: 'Kingdom 7',
    });
    const kingdom = { rank: 1, kingdom_id: 7, player_count: 1200, total_power: null };
    expect(first('kingdom-power', kingdom, 'cod')).toEqual({
      rank: 1,
      name: 'Server 7',
      otherwise: 'Server 7',
      about: '1,200 lords',
      value: null,
    });
    expect(cardOf('cod', 'alliance-score', [], info).title).toBe('Alliances by merits');
    expect(cardOf('rok', 'kingdom-power', [], { total: 0 } as never).line).toBe('Rise of Kingdoms · 0 ranked');
  });

  test('is mirrored in a language that runs from right to left', () => {
    const card = {
      title: 'الحكام',
      line: 'Rise of Kingdoms · 10 مارس',
      rows: [{ rank: 1, name: 'Ash', otherwise: 'o', about: 'المملكة 7', value: 5 }],
    };
    takeLocaleFrom(() => 'ar');
    try {
      const drawn = [...cardSvg(card).matchAll(/<text x="(\d+)"[^>]*?(?<end> text-anchor="end")?>([^<]*)</g)];
      expect(drawn.map(([, x, end, text]) => [Number(x), end !== undefined, text])).toEqual([
        [1074, true, 'Muster'],
        // Arabic runs from right to left, and each fact keeps its figures.
        [1128, true, '\u202bالحكام\u202c'],
        [1128, true, '\u202bRise of Kingdoms \u200f·\u200f 10 مارس\u202c'],
        [1104, true, '1'],
        [1044, true, 'Ash'],
        [588, true, '\u202bالمملكة 7\u202c'],
        [96, false, '5'],
      ]);
      expect(cardSvg(card)).toContain('<rect x="72" y="256" width="1056"');
    } finally {
      takeLocaleFrom(() => 'en');
    }
    // In other languages only the font differs, in which all letters of the text are.
    expect(cardSvg({ ...card, title: 'Hero البطل' })).toMatch(
      /<text x="72" y="166" [^>]* font-family="Noto Sans Arabic"[^>]*>Hero البطل</,
    );
  });

  test('has bars in proportion to the values, and a height that fits its rows', () => {
    const row = (rank: number, value: number) => ({ rank, name: 'n', otherwise: 'o', about: 'a', value });
    const svg = (...values: number[]) =>
      cardSvg({ title: 't', line: 'l', rows: values.map((value, index) => row(index + 1, value)) });
    const bars = (drawn: string) =>
      [...drawn.matchAll(/width="(\d+)" height="62" rx="8" fill="#12302a"/g)].map(([, width]) => Number(width));
    expect(bars(svg(100, 50, 0, -5, 200))).toEqual([1056, 528, 0, 0, 1056]);
    expect(bars(svg(0, 5))).toEqual([0, 0]);
    const heights = [0, 5, 6, 10].map((count) => /^<svg [^>]* height="(\d+)"/.exec(svg(...Array(count).fill(1)))?.[1]);
    expect(heights).toEqual(['630', '630', '700', '980']);
    expect(cardSvg(ownCardOf())).toContain('y="330" font-size="50"');
    // No text overlaps another row or leaves the picture.
    expect(
      [...svg(1, 1).matchAll(/<clipPath[^>]*><rect x="0" y="(\d+)" width="1200" height="70"/g)].map(([, y]) => y),
    ).toEqual(['252', '322']);
    expect([...svg(1, 1).matchAll(/<text x="(\d+)" y="(\d+)"/g)].map(([, x, y]) => [Number(x), Number(y)])).toEqual([
      [126, 83],
      [72, 166],
      [72, 214],
      [96, 295],
      [156, 295],
      [612, 295],
      [1104, 295],
      [96, 365],
      [156, 365],
      [612, 365],
      [1104, 365],
    ]);
  });
});
