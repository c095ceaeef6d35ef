import { standingBy } from '../../../../domain/compare/rolled-up.ts';
import { goalsOf, LineFlaw, zeroedOf } from '../../../../domain/difference/lines.ts';
import type { Gains } from '../../../../domain/difference/pairs.ts';
import { type DeadsOff, type Goal, PRESETS, weighed } from '../../../../domain/difference/scoring.ts';
import { type Verified, verifiedOf, withVerified } from '../../../../domain/difference/verified.ts';
import { ranksOf } from '../../../../domain/scans/order.ts';
import type { ComparedTable } from '../../../api/compare.ts';
import { type DifferenceRows, type ScoredRows, scoredRows } from '../../../components/difference/difference-rows.ts';
import { weightsOf } from '../../../components/difference/written-weights.ts';
import type { CompareSearch } from './-compare-search.ts';

/** The scoring of a comparison, parsed from its URL. Unreadable lines are ignored and reported in `flaws`. */
export interface CompareScoring {
  weights: Record<string, number>;
  power_off: number;
  goals: Goal[];
  zeroed: Record<string, DeadsOff>;
  verified: Verified;
  /** Percent of a farm's score that counts for its main; null counts farms separately. */
  farms: number | null;
  flaws: { goals?: string; zeroed?: string; verified?: string };
}

function readLines<Value>(
  written: string | undefined,
  read: (text: string) => Value,
  otherwise: Value,
): [Value, string?] {
  try {
    return [read(written ?? '')];
  } catch (error) {
    if (error instanceof LineFlaw) return [otherwise, error.message];
    throw error;
  }
}

export function scoringOf(game: ComparedTable['game'], search: CompareSearch): CompareScoring {
  const [goals, goalsFlaw] = readLines(search.goals, goalsOf, []);
  const [zeroed, zeroedFlaw] = readLines(search.zeroed, zeroedOf, {});
  const [verified, verifiedFlaw] = readLines<Verified>(search.verified, verifiedOf, {});
  return {
    weights: weightsOf(search.weights) ?? { ...PRESETS[game][0]?.weights },
    power_off: search.off ?? 0,
    goals,
    zeroed,
    verified,
    farms: search.farms ?? null,
    flaws: {
      ...(goalsFlaw && { goals: goalsFlaw }),
      ...(zeroedFlaw && { zeroed: zeroedFlaw }),
      ...(verifiedFlaw && { verified: verifiedFlaw }),
    },
  };
}

export interface ComparedRows {
  rows: DifferenceRows;
  scores: ScoredRows;
  /** Each governor's own score, used for kingdom sums. */
  alone: ScoredRows;
  /** Ids excluded from ranking: exempt governors, those who left, and farms. */
  apart: number[];
}

/** Computes all scores and ranks, optionally adding farms to their mains. Governors in `apart` have no rank. */
export function comparedRows(table: ComparedTable, read: DifferenceRows, scoring: CompareScoring): ComparedRows {
  const rows = verifiedRows(table, read, scoring);
  const alone = scoredRows(rows, table.game, scoring);
  if (table.roster.length === 0) return { rows, scores: alone, alone, apart: [] };
  const { scores: dkp, apart } = standingBy(table.roster, scoring.farms, { ids: rows.ids, scores: alone.dkp });
  const counted = dkp.map((score, row) => (apart[row] === 1 ? Number.NaN : score));
  return {
    rows,
    scores: { ...alone, dkp, ranks: ranksOf(counted) },
    alone,
    apart: table.id.filter((_, row) => apart[row] === 1),
  };
}

/** Replaces the deads of governors whose deads are verified. */
function verifiedRows(
  table: ComparedTable,
  rows: DifferenceRows,
  { verified, weights }: CompareScoring,
): DifferenceRows {
  if (Object.keys(verified).length === 0) return rows;
  const { game } = table;
  const governors = { game, count: rows.count, idAt: (row: number) => rows.ids[row] as number };
  const gainsOf = withVerified(governors, verified, (key) => rows.gains.get(key) ?? null);
  const keys = new Set([...rows.gains.keys(), ...weighed(weights).map(([key]) => key)]);
  const gains = [...keys].flatMap((key): [string, Gains][] => {
    const gained = gainsOf(key);
    return gained ? [[key, gained]] : [];
  });
  return { ...rows, gains: new Map(gains) };
}
