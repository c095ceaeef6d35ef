import { describe, expect, test } from 'vitest';
import { goalsReached } from '../../../domain/difference/goals.ts';
import { type Scoring, scoresOf } from '../../../domain/difference/scoring.ts';
import { MAX_VERIFIED, verifiedOf, verifiedText, withVerified } from '../../../domain/difference/verified.ts';
import { areVerified } from '../../../domain/scans/verified-headers.ts';

const NAN = Number.NaN;

describe('verified deads are read', () => {
  test.each([
    ['lines', '7: 120,000 / 34K\n8: 0 / 5'],
    ['lines of an address', '7:120000/34000;8:0/5'],
    ['a sheet with commas', 'governor_id,t4_deaths,t5_deaths,notes\n7,"120,000",34000,"by him, twice"\n8,0,5,'],
    ['a sheet with other columns first', '\ufeffName;Gov ID;T5 Deaths;T4 Deaths\r\nMoss;7;34000;120000\r\nFern;8;5;0'],
    ['a sheet with a note', 'governor_id,t4_deaths,t5_deaths\n7,"120,000","34,000",by him, twice\n8,0,5'],
    ['cells pasted from a sheet', '7\t120,000\t34,000\n8\t0\t5\n9\t\t'],
  ])('from %s', (_, text) => {
    expect(verifiedOf(text)).toEqual({ 7: { t4: 120_000, t5: 34_000 }, 8: { t4: 0, t5: 5 } });
  });

  test('and written as lines that read back the same', () => {
    const verified = { 7: { t4: 120_000, t5: 34_000 }, 8: { t4: 0, t5: 5 } };
    expect(verifiedText(verified)).toBe('7:120000/34000\n8:0/5');
    expect(verifiedOf(verifiedText(verified))).toEqual(verified);
    expect(verifiedOf('')).toEqual({});
  });

  test.each([
    ['7: 5', "Line 1: '5' must be the deads of T4 / T5, as in '20436276: 120,000 / 34,000'."],
    ['7', "Line 1: no governor has figures. Write it as '20436276: 120,000 / 34,000'."],
    ['7: 5 / -3', "Line 1: '5 / -3' must be"],
    ['7: 5 / 3 / 1', "Line 1: '5 / 3 / 1' must be"],
    ['7: 1/2\n7: 1/2', "Line 2: '7' appears twice."],
    ['governor_id,t4_deaths,t5_deaths\n7,5,', "Line 2: '5 / ' must be"],
    ['governor_id,t4_deaths,t5_deaths\nMoss,5,1', "Line 2: 'Moss' is not an id."],
    ['20436276, 120,000, 34,000', "Line 1: '20436276, 120,000, 34,000' must be"],
    ['governor_id,t4_deaths,t5_deaths\n7,120,000,34,000', "Line 2: '7,120,000,34,000' must be"],
    ['governor_id,t4_deaths,t5_deaths\n7,120,000,34', "Line 2: '7,120,000,34' must be"],
    ['governor_id,t4_deaths\n7,5', 'Line 1: the columns must be governor_id, t4_deaths and t5_deaths.'],
  ])('or refused with their line: %j', (text, sentence) => {
    expect(() => verifiedOf(text)).toThrow(sentence);
  });

  test('up to as many as fit into a URL', () => {
    const lines = (count: number) => Array.from({ length: count }, (_, line) => `${line + 1}:1/2`).join(';');
    expect(Object.keys(verifiedOf(lines(MAX_VERIFIED)))).toHaveLength(300);
    expect(() => verifiedOf(lines(MAX_VERIFIED + 1))).toThrow(
      'Line 301: there may be 300 governors, but these are 301.',
    );
  });

  test('and distinguished from scans by their headers', () => {
    expect(areVerified(['governor_id', 't4_deaths', 't5_deaths', 'notes'])).toBe(true);
    expect(areVerified(['Character ID', 'Power', 'T4 Deaths', 'T5 Deaths'])).toBe(false);
    expect(areVerified(['Governor ID', 'Power'])).toBe(false);
  });
});

describe('verified deads replace those of the scans', () => {
  const READ = new Map([
    ['deads', { raw: Float64Array.of(100, 200, 300), doubts: Uint8Array.of(0, 1, 0) }],
    ['killcount_t4', { raw: Float64Array.of(1, 1, 1), doubts: new Uint8Array(3) }],
  ]);
  const rows = { game: 'rok' as const, count: 3, idAt: (row: number) => row + 1, powerAt: () => 50 };
  const gains = withVerified(rows, { 2: { t4: 7, t5: 3 }, 99: { t4: 1, t5: 1 } }, (key) => READ.get(key) ?? null);
  const dkp = (scoring: Scoring) => [...scoresOf(rows, scoring, gains).dkp];

  test('in sums and tiers, without the scans’ doubts', () => {
    expect(dkp({ weights: { deads: 1 } })).toEqual([100, 10, 300]);
    expect(dkp({ weights: { deads_t4: 30, deads_t5: 40 } })).toEqual([NAN, 330, NAN]);
    expect([...(READ.get('deads')?.raw ?? [])]).toEqual([100, 200, 300]);
    expect(gains('killcount_t4')).toBe(READ.get('killcount_t4'));
  });

  test('with the reduction for zeroed governors', () => {
    expect(dkp({ weights: { deads: 1 }, zeroed: { 2: 50 } })).toEqual([100, 5, 300]);
    expect(dkp({ weights: { deads_t4: 30, deads_t5: 40 }, zeroed: { 2: 90 } })[1]).toBeCloseTo(33);
  });

  test('in goals', () => {
    const goals = [{ min_power: 0, dkp: null, kills: null, deads: 20 }];
    const judged = { game: 'rok' as const, powers: Float64Array.of(1, 1, 1), dkp: new Float64Array(3), gains };
    expect([...goalsReached(goals, 'deads', { ...judged, isExempt: () => false })]).toEqual([500, 50, 1500]);
  });
});
