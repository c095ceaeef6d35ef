import type { KingdomHistory } from './between.ts';
import { scanOf } from './history.ts';
import type { Line } from './line.ts';
import { type DoubtedFigure, profileOf, type State, type StateFigure, stateOf } from './state.ts';

/** The governors of a kingdom as they were last seen. */

export interface Known {
  id: number;
  power: number;
  /** When they were last seen (epoch ms). */
  captured_at: number;
  line: Line;
}

/** Times (epoch ms) of a kingdom's newest scan and of its reference scan (`standing`). */
export interface Standing {
  newest: number;
  standing: number;
}

const byPower = (a: Known, b: Known): number => b.power - a.power || a.id - b.id;

/** Returns a governor as they were last seen, or undefined if the kingdom's history does not have them. */
export function knownIn({ history }: Pick<KingdomHistory, 'history'>, id: number): Known | undefined {
  const line = history.lines.get(id);
  return (
    line && { id, power: line.newest.values[0] as number, captured_at: scanOf(history, line.newest).captured_at, line }
  );
}

/** Returns the governors who were last seen in the kingdom, at `since` or later. */
export function knownSince({ kingdom_id, history, departed }: KingdomHistory, since: number): Known[] {
  const known: Known[] = [];
  for (const [id, line] of history.lines) {
    const { newest } = line;
    const scan = scanOf(history, newest);
    if (scan.captured_at >= since && scan.kingdom_id === kingdom_id && !departed.has(id))
      known.push({ id, power: newest.values[0] as number, captured_at: scan.captured_at, line });
  }
  return known;
}

/**
 * Returns the governors present in the kingdom, strongest first, then those whose power is in doubt. They are those in
 * the newest scan and, below its last rank, those seen in the reference scan or later. A governor stronger than the
 * newest scan's last rank but missing from it has left or lost too much power to tell.
 */
export function presentIn(kingdom: KingdomHistory, { newest, standing }: Standing): Known[] {
  const [sure, doubtful]: [Known[], Known[]] = [[], []];
  let last = Number.POSITIVE_INFINITY;
  for (const one of knownSince(kingdom, standing)) {
    const isSure = one.power > 0 && !isInDoubt(one, 'power');
    (isSure ? sure : doubtful).push(one);
    if (isSure && one.captured_at === newest && one.power < last) last = one.power;
  }
  return [...sure.sort(byPower), ...doubtful.sort(byPower)].filter(
    ({ captured_at, power }) => captured_at === newest || power < last,
  );
}

/** Returns the state of a governor in their kingdom's history. */
export const stateIn = ({ history }: Pick<KingdomHistory, 'history'>, { line }: Pick<Known, 'line'>): State =>
  stateOf(line.state, history.columns);

/** Returns a profile's figure; null if the newest scan did not read it, because an older value is not the current state. */
export const currentFigure = (
  { captured_at }: Known,
  { profile_at, figures }: State,
  figure: StateFigure,
): number | null => ((profile_at ?? captured_at) === captured_at ? figures[figure] : null);

/** True if the newest scan's check doubts this figure. */
export function isInDoubt({ captured_at, line }: Known, figure: DoubtedFigure): boolean {
  const { profile_at, doubts } = profileOf(line.state);
  return profile_at === captured_at && doubts(figure);
}
