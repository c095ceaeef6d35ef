import { describe, expect, test } from 'vitest';
import { type ForeignDialect, foreignPlan, foreignTable } from '../../../domain/scans/foreign.ts';
import { type Row, tableOf } from '../../../domain/scans/rows.ts';

/** A scan in the columns of other tools. */

const ROW: Row = {
  governor_id: 7,
  name: 'Ash',
  home_kingdom: 4001,
  alliance_tag: 'MC',
  alliance_name: 'Moss',
  power: 100,
  killpoints: 40,
  deads: 3,
  killcount_t1: 1,
  killcount_t2: 2,
  killcount_t3: 3,
  killcount_t4: 4,
  killcount_t5: 5,
  helps_given: 6,
};
const ALL = new Set([
  'governor_id',
  'name',
  'home_kingdom',
  'alliance_tag',
  'alliance_name',
  'power',
  'helps_given',
  'quality',
]);

function written(dialect: ForeignDialect, rows: Row[], { safe = true, filled = ALL as ReadonlySet<string> } = {}) {
  const table = tableOf('rok', rows);
  const plan = foreignPlan(dialect, filled, table, safe);
  const { numbers, texts } = foreignTable(plan, table);
  const headers = plan.columns.map(({ key }) => key);
  return {
    headers,
    plan,
    row: (at: number) => Object.fromEntries(headers.map((key) => [key, texts[key]?.[at] ?? numbers[key]?.[at]])),
  };
}

describe('the columns of a tool', () => {
  test('are in its order, then the scan’s other columns, with the tag if the tool has none', () => {
    const scrolls = written('hero-scrolls', [ROW]);
    expect(scrolls.headers.slice(0, 6)).toEqual([
      'Kingdom',
      'Governor Name',
      'Governor ID',
      'Power',
      'Domain ID',
      'Alliance Tag',
    ]);
    expect(scrolls.headers.slice(22)).toEqual(['Alliance Name']);
    const tracker = written('roktracker-v4', [ROW]);
    // The tool has tag and name in one column, and the kingdom only in the file's name.
    expect(tracker.headers.at(16)).toBe('Alliance');
    expect(tracker.headers.slice(17)).toEqual(['Kingdom ID']);
    expect(written('roktracker-v4', [ROW], { filled: new Set() }).headers).toHaveLength(17);
  });

  test('hold the same figures', () => {
    expect(written('roktracker-v4', [ROW]).row(0)).toMatchObject({
      'Governor ID': 7,
      'Governor Name': 'Ash',
      Deaths: 3,
      T5: 5,
      Kills: 15,
      'Kills (T4+)': 9,
      Helps: 6,
      Alliance: '[MC]Moss',
      'RSS Gathered': Number.NaN,
    });
    expect(written('roktracker-v6', [ROW]).row(0)).toMatchObject({ 'Total Kills': 15, 'T45 Kills': 9, Acclaim: -1 });
    expect(written('hero-scrolls', [ROW]).row(0)).toMatchObject({ Kingdom: 4001, 'Alliance Tag': 'MC', 'T4 Kills': 4 });
  });

  test('mark unknown values as the tool does', () => {
    const unread = { ...ROW, killcount_t2: null, alliance_tag: null, alliance_name: null };
    expect(written('roktracker-v4', [unread]).row(0)).toMatchObject({
      T2: Number.NaN,
      Kills: Number.NaN,
      'Kills (T4+)': 9,
      Alliance: '',
    });
    expect(written('roktracker-v6', [unread]).row(0)).toMatchObject({
      'T2 Kills': -1,
      'Total Kills': -1,
      'T45 Kills': 9,
    });
    expect(written('roktracker-v4', [{ ...ROW, alliance_tag: null }]).row(0)).toMatchObject({ Alliance: '[]Moss' });
    expect(written('roktracker-v4', [{ ...ROW, alliance_name: null }]).row(0)).toMatchObject({ Alliance: '[MC]' });
  });

  test('separate tag and name if they could not be read back from one cell', () => {
    const odd = written('roktracker-v4', [ROW, { ...ROW, alliance_tag: 'A]B' }]);
    expect(odd.headers.slice(17)).toEqual(['Alliance Tag', 'Kingdom ID', 'Alliance Name']);
    expect(odd.row(1)).toMatchObject({ Alliance: '[A]B]Moss', 'Alliance Name': 'Moss' });
    expect(written('roktracker-v4', [{ ...ROW, alliance_name: ' Moss' }]).headers).toContain('Alliance Name');
  });

  test('end with our header only if csv had to defuse a text', () => {
    const formula = { ...ROW, name: '=1+1' };
    expect(written('hero-scrolls', [ROW, formula]).headers.at(-1)).toBe('Written by Muster');
    expect(written('hero-scrolls', [ROW, formula], { safe: false }).headers).not.toContain('Written by Muster');
    expect(written('hero-scrolls', [ROW]).headers).not.toContain('Written by Muster');
    const { plan } = written('hero-scrolls', [formula]);
    expect(plan.columns.at(-1)).toMatchObject({ type: 'text', title: 'Written by Muster' });
    const types = new Map(written('roktracker-v4', [ROW]).plan.columns.map(({ key, type }) => [key, type]));
    expect(['Alliance', 'Kills', 'Governor Name', 'Power'].map((key) => types.get(key))).toEqual([
      'text',
      'integer',
      'text',
      'integer',
    ]);
  });
});
