import type { GuardedSum, ResultSums } from '../../../domain/scans/result-sums.ts';
import type { Sum, Sums } from './stats.ts';

/** Converts totals from the API's field names. */
export function shownSums({ count, listed, high_tier_kills, ...sums }: ResultSums): Sums {
  const shown = ({ left_out, ...sum }: GuardedSum): Sum => ({ ...sum, excluded: left_out });
  return {
    count,
    listedOnly: listed,
    top100: shown(sums.top100),
    top350: shown(sums.top350),
    power: shown(sums.power),
    score: shown(sums.score),
    deads: shown(sums.deads),
    highTierKills: shown(high_tier_kills),
  };
}
