import { type Bracket, bracketsOf } from '../../../domain/difference/brackets.ts';
import { type DifferenceRows, type GoalsOf, judgedBy, type ScoredRows } from '../difference/difference-rows.ts';

/** Counts who passes each goal. */
export const goalBrackets = (rows: DifferenceRows, scores: ScoredRows, of: GoalsOf): Bracket[] =>
  bracketsOf(of.goals, judgedBy(rows, scores, of));
