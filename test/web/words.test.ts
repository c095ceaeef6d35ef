import './page.ts';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { GAMES } from '../../domain/games/games.ts';
import type { EventMeta } from '../../web/api/events.ts';
import { typeWords } from '../../web/api/type-words.ts';
import { type DifferenceTable, differenceRows, isIdle } from '../../web/components/difference/difference-rows.ts';
import { ago, labelledMoments, nextFight } from '../../web/components/events/event-words.ts';
import { choiceOf, chosenColumns, rememberColumns } from '../../web/components/results/column-choice.ts';
import { Results } from '../../web/components/results/results.ts';
import { comparedRows, scoringOf } from '../../web/routes/_signed-in/compare/-compare-scores.ts';
import { sectionsOf } from '../../web/routes/_signed-in/players/-governor-sections.ts';
import { copyText } from '../../web/ui/copy.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

const [MINUTE, HOUR] = [60_000, 3_600_000];

it.each([
  [-5, 'just now'],
  [MINUTE - 1, 'just now'],
  [MINUTE, '1 min ago'],
  [60 * MINUTE - 1, '59 min ago'],
  [HOUR, '1 h ago'],
  [48 * HOUR - 1, '47 h ago'],
  [48 * HOUR, '2 days ago'],
  [72 * HOUR - 1, '2 days ago'],
])('%d ms ago is %s', (before, words) => {
  expect(ago(1000 * HOUR - before, 1000 * HOUR)).toBe(words);
});

describe('key dates of an event', () => {
  const meta = (dates: Record<string, number>, moments: number[]) =>
    ({ dates, snapshots: moments.map((ts) => ({ ts })) }) as unknown as EventMeta;
  const event = meta({ End: 40 * HOUR, 'Pass 4': 20 * HOUR, 'Pass 7': 30 * HOUR }, [10 * HOUR, 21 * HOUR, 30 * HOUR]);

  it('are those up to the latest snapshot, in order, with the nearest snapshot', () => {
    expect(labelledMoments(event)).toEqual([
      { ts: 21 * HOUR, label: 'Pass 4', at: 20 * HOUR },
      { ts: 30 * HOUR, label: 'Pass 7', at: 30 * HOUR },
    ]);
    expect(labelledMoments(meta({ End: 1 }, []))).toEqual([]);
  });

  it('include a next one until the last', () => {
    expect(nextFight(event, 20 * HOUR - 1)).toEqual({ label: 'Pass 4', ts: 20 * HOUR });
    expect(nextFight(event, 20 * HOUR)).toEqual({ label: 'Pass 7', ts: 30 * HOUR });
    expect(nextFight(event, 40 * HOUR)).toBeNull();
  });
});

describe('a profile', () => {
  const facts = (profile: Record<string, number | string | null>, earlier?: boolean) =>
    Object.fromEntries(sectionsOf('rok', profile, earlier).map(({ title, facts: all }) => [title, all]));

  it('shows ? for table figures, adds points to tiers, and omits other unknown figures', () => {
    const all = facts({ power: 1000, helps_given: 0, civilization: '', killcount_t4: 12_000, killpoints_t4: 120_000 });
    const details = Object.fromEntries(all.Details ?? []);
    expect(details[GAMES.rok.columns.find(({ key }) => key === 'power')?.title ?? '']).toBe('1,000');
    expect(Object.values(details)).toContain('?');
    expect(all['Kills by tier']).toEqual([
      ['T1', '?'],
      ['T2', '?'],
      ['T3', '?'],
      ['T4', '12,000 · 120,000 points'],
      ['T5', '?'],
    ]);
    expect(all.Activity).toEqual([[expect.stringMatching(/help/i), '0']]);
    expect(Object.keys(all)).toEqual(['Details', 'Kills by tier', 'Activity']);
  });

  it('of an earlier scan shows only known figures', () => {
    expect(facts({ power: 1000, deads: null, killcount_t5: 7 }, true)).toEqual({
      Details: [[expect.any(String), '1,000']],
      'Kills by tier': [['T5', '7']],
    });
    expect(facts({}, true)).toEqual({});
  });
});

describe('chosen columns', () => {
  const { columns } = new Results(GAMES.rok, [{ governor_id: 1, name: 'a', power: 1 }]);
  const ids = (chosen: string | undefined, combined = false) =>
    chosenColumns(columns, chosen, combined).map(({ id }) => id);
  const usual = ids(undefined);

  it('are the default or the URL’s, in the game’s order, and always include the name', () => {
    expect(usual).toContain('power');
    expect(usual).not.toContain('kingdom');
    expect(ids(undefined, true)).toContain('kingdom');
    expect(ids('t4,power')).toEqual(['name', 'power', 't4']);
    expect(ids('nothing')).toEqual(usual);
    expect(ids('name')).toEqual(usual);
  });

  it('are omitted from the URL if they are the default', () => {
    expect(choiceOf([...usual].reverse(), columns, false)).toBeUndefined();
    expect(choiceOf(usual.slice(1), columns, false)).toBe(usual.slice(1).join());
    expect(choiceOf([...usual.slice(1), 'helps_given'], columns, false)).toContain('helps_given');
    expect(choiceOf(usual, columns, true)).toBe(usual.join());
  });

  it('are stored by game and kind, and removed; a browser without storage works too', () => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
    rememberColumns('rok', false, 'power');
    rememberColumns('rok', true, 't4');
    expect(Object.fromEntries(kept)).toEqual({ 'columns:rok': 'power', 'columns:rok:combined': 't4' });
    rememberColumns('rok', false, undefined);
    expect(Object.fromEntries(kept)).toEqual({ 'columns:rok:combined': 't4' });
    vi.stubGlobal('localStorage', undefined);
    expect(() => rememberColumns('rok', false, 'power')).not.toThrow();
  });
});

it('a comparison is scored by its URL; unreadable lines are ignored and reported', () => {
  expect(scoringOf('rok', {})).toEqual({
    weights: { killcount_t4: 10, killcount_t5: 20 },
    power_off: 0,
    goals: [],
    zeroed: {},
    verified: {},
    farms: null,
    flaws: {},
  });
  const good = { weights: 'deads:3', off: 2, farms: 50, goals: '40M: dkp 2M', zeroed: '7: 80', verified: '7: 5 / 2' };
  expect(scoringOf('rok', good)).toMatchObject({
    weights: { deads: 3 },
    power_off: 2,
    goals: [{ min_power: 40_000_000, dkp: 2_000_000 }],
    zeroed: { '7': 80 },
    verified: { '7': { t4: 5, t5: 2 } },
    farms: 50,
    flaws: {},
  });
  const flawed = scoringOf('rok', { goals: 'much', zeroed: '7: 81', verified: '7: 5' });
  expect(flawed).toMatchObject({ goals: [], zeroed: {}, verified: {} });
  expect([flawed.flaws.goals, flawed.flaws.zeroed, flawed.flaws.verified]).toEqual([
    expect.stringMatching(/^Line 1: /),
    expect.stringMatching(/^Line 1: '81'/),
    expect.stringMatching(/^Line 1: '5'/),
  ]);
});

describe('a comparison with a roster', () => {
  const table = {
    kingdoms: ['1001'],
    tags: [],
    common: 4,
    joined: 0,
    gone: 0,
    id: [1, 2, 3, 4],
    name: ['Main', 'Farm', 'Left', 'Plain'],
    tag: [-1, -1, -1, -1],
    kingdom: [0, 0, 0, 0],
    kingdom_now: [0, 0, 0, 0],
    power: [4, 3, 2, 1],
    now: {},
    gains: { deads: [10, 30, 90, 20] },
    doubts: {},
    renamed: {},
  } satisfies DifferenceTable;
  const roster = [
    { governor_id: 2, role: 'farm', main_id: 1, note: '' },
    { governor_id: 3, role: 'left', main_id: null, note: '' },
  ];
  const compared = (farms: number | null, entries: object[] = roster) => {
    const scoring = { ...scoringOf('rok', {}), weights: { deads: 1 }, farms };
    return comparedRows({ game: 'rok', ...table, roster: entries } as never, differenceRows(table), scoring);
  };

  it('adds farms to their mains and does not rank governors who left', () => {
    const { scores, alone, apart } = compared(50);
    expect([...scores.dkp]).toEqual([25, Number.NaN, 90, 20]);
    expect([...scores.ranks]).toEqual([1, 0, 0, 2]);
    expect(apart).toEqual([2, 3]);
    expect([...alone.dkp]).toEqual([10, 30, 90, 20]);
    expect([...alone.ranks]).toEqual([4, 2, 1, 3]);
  });

  it('counts farms separately without a share, and ranks everybody without a roster', () => {
    expect([...compared(null).scores.ranks]).toEqual([3, 1, 0, 2]);
    const plain = compared(50, []);
    expect([plain.scores === plain.alone, plain.apart]).toEqual([true, []]);
  });

  it('verified deads replace those of the scans in rows, scores and idleness', () => {
    const read = {
      ...table,
      game: 'rok',
      gains: { deads: [0, 30, 90, 20] },
      doubts: { deads: { fell: [0] } },
      roster: [],
    };
    const rows = differenceRows(read);
    const scoring = scoringOf('rok', { weights: 'deads:2', verified: '1: 5 / 2' });
    const made = comparedRows(read as never, rows, scoring);
    expect([...made.scores.dkp]).toEqual([14, 60, 180, 40]);
    expect([made.rows.gains.get('deads')?.raw[0], isIdle(made.rows, ['deads'], 0)]).toEqual([7, false]);
    expect(rows.gains.get('deads')?.raw[0]).toBe(0);
  });
});

describe('copying text', () => {
  it('uses the clipboard, or a temporary selection if denied', async () => {
    const written: string[] = [];
    vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => written.push(text) } });
    expect(await copyText('a')).toBe(true);
    expect(written).toEqual(['a']);
    vi.stubGlobal('navigator', { clipboard: { writeText: () => Promise.reject(new Error('refused')) } });
    const done: string[] = [];
    const area = { value: '', select: () => done.push(`select ${area.value}`), remove: () => done.push('remove') };
    class FakeElement {
      focus() {
        done.push('focus');
      }
    }
    vi.stubGlobal('HTMLElement', FakeElement);
    const document = (copies: boolean) => ({
      activeElement: new FakeElement(),
      createElement: () => area,
      querySelector: () => null,
      body: { append: () => done.push('append') },
      execCommand: (command: string) => {
        done.push(command);
        return copies;
      },
    });
    vi.stubGlobal('document', document(true));
    expect(await copyText('b')).toBe(true);
    expect(done).toEqual(['append', 'select b', 'copy', 'remove', 'focus']);
    vi.stubGlobal('document', document(false));
    expect(await copyText('c')).toBe(false);
  });
});

test.each([
  [{ type: 'integer', exclusiveMinimum: 0 }, 'whole number, 1 or more'],
  [{ type: 'integer', minimum: 1, maximum: 99_999 }, 'whole number, 1 to 99,999'],
  [{ type: 'number', minimum: 0, maximum: 100 }, 'number, 0 to 100'],
  [{ type: 'string', enum: ['rok', 'cod'], default: 'rok' }, 'rok or cod; rok if left out'],
  [{ type: 'string', enum: ['csv', 'xlsx', 'json'] }, 'csv, xlsx or json'],
  [{ type: 'string', enum: ['0', 'true', ''] }, '0 or true'],
  [{ type: 'string', const: 'reports' }, 'reports'],
  [{ type: 'string', maxLength: 3000 }, 'text, up to 3,000 characters'],
  [{ type: 'string', format: 'uuid', pattern: '^x$' }, 'UUID'],
  [{ type: ['number', 'string'] }, 'number or text'],
])('%j reads as %s', (schema, words) => {
  expect(typeWords(schema)).toBe(words);
});
