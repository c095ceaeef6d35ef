import { type Judged, reachedBy } from './goals.ts';
import { type Goal, goalOf } from './scoring.ts';

/** A goal's governors: those of its bracket, and how many of them reached every target that it sets. */
export interface Bracket {
  governors: number;
  passed: number;
  /** Governors with an unknown or unverified figure that counts. */
  unknown: number;
}

/** Counts who passes each goal, in the order of `goals`. Exempt governors and those in no bracket are not counted. */
export function bracketsOf(goals: readonly Goal[], judged: Judged): Bracket[] {
  const brackets = new Map(goals.map((goal): [Goal, Bracket] => [goal, { governors: 0, passed: 0, unknown: 0 }]));
  const reached = [...reachedBy(goals, judged)];
  judged.powers.forEach((power, row) => {
    const goal = judged.isExempt(row) ? null : goalOf(goals, power);
    const bracket = goal && brackets.get(goal);
    if (!bracket) return;
    bracket.governors++;
    // A target of 0 does not count.
    const percents = reached.flatMap(([target, column]) => (goal[target] ? [column[row] as number] : []));
    if (percents.some(Number.isNaN)) bracket.unknown++;
    else if (percents.every((percent) => percent >= 100)) bracket.passed++;
  });
  return goals.map((goal) => brackets.get(goal) as Bracket);
}
