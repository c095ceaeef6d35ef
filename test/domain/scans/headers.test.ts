import { describe, expect, test } from 'vitest';
import { dialectOf, HeaderTargets } from '../../../domain/scans/dialect.ts';

describe('headers that look like others', () => {
  const mapped = (headers: string) => {
    const cells = ['Governor ID', 'Name', 'Power', ...headers.split(',')];
    const { mapped: found } = new HeaderTargets(dialectOf(cells) ?? expect.fail(), cells);
    return Object.fromEntries(found.map(({ header, column, why }) => [header, column ?? why]));
  };

  test('shares, gains and sums of tiers are no figures of their own', () => {
    expect(mapped('Power %,+/- Kill Points,Deads ±,T4+ Kills,Kills (T4+),T4+T5 Kills,T45 Kills,T5+')).toMatchObject({
      Power: 'power',
      'Power %': 'unknown',
      '+/- Kill Points': 'unknown',
      'Deads ±': 'unknown',
      'T4+ Kills': 'needless',
      'Kills (T4+)': 'needless',
      'T4+T5 Kills': 'needless',
      'T45 Kills': 'needless',
      'T5+': 'unknown',
    });
  });

  test('kills of a tier are told whichever way round', () => {
    expect(mapped('Kills T4,T5 kill,T3-Kills,Tier 2 Kills')).toMatchObject({
      'Kills T4': 'killcount_t4',
      'T5 kill': 'killcount_t5',
      'T3-Kills': 'killcount_t3',
      'Tier 2 Kills': 'killcount_t2',
    });
  });
});
