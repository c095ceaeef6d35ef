import type { CompareSettings } from '../../../domain/compare/contract.ts';
import { DOUBT_TITLE, doubtAt } from '../../../domain/difference/doubts.ts';
import { goalsReached, goalTitle, type Target, targetsOf } from '../../../domain/difference/goals.ts';
import { weighed } from '../../../domain/difference/scoring.ts';
import type { Column } from '../../../domain/games/games.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { ranksOf } from '../../../domain/scans/order.ts';
import type { Numbers, Table, Texts } from '../../../domain/scans/rows.ts';
import { titleOf } from './load-ranges.ts';
import { kingdomName, type Scored } from './score.ts';

/** The governors of a comparison as a table to show or to save: those who count first, the greatest score first. */

/** What a report shows where nobody chose. */
export const usualColumns = ({ scoring, keys }: Scored): string[] => [
  ...['rank', 'name', 'alliance_tag', 'kingdom', 'power'],
  ...weighed(scoring.weights).flatMap(([key]) => (keys.includes(key) ? [`gain:${key}`] : [])),
  ...['dkp', 'dkp_raw', 'doubt'],
];

/** The key of a target's column; that of the DKP is the oldest. */
export const goalKey = (target: Target): string => (target === 'dkp' ? 'goal' : `goal_${target}`);

/** Every column that there is. */
export const allColumns = (scored: Scored, goals: CompareSettings['goals']): string[] => [
  ...['rank', 'id', 'name', 'alliance_tag', 'kingdom', 'kingdom_now', 'power'],
  ...scored.keys.flatMap((key) => [`now:${key}`, `gain:${key}`]),
  ...['dkp', 'dkp_raw'],
  ...targetsOf(goals).map(goalKey),
  ...['doubt', 'apart'],
];

export interface ReportTable {
  columns: (Column & { percent?: true })[];
  table: Table;
}

/** The governors in the order in which they are shown. */
function shownOrder({ compared, rolled }: Scored): number[] {
  const { powers } = compared.common;
  const worth = (values: Numbers, row: number) => (Number.isNaN(values[row]) ? -Infinity : (values[row] as number));
  return [...rolled.scores.keys()].sort(
    (a, b) =>
      (rolled.apart[a] as number) - (rolled.apart[b] as number) ||
      worth(rolled.scores, b) - worth(rolled.scores, a) ||
      worth(powers, b) - worth(powers, a) ||
      a - b,
  );
}

/** A table of these columns; one that the comparison does not have is left out. */
export function reportTable(scored: Scored, goals: CompareSettings['goals'], wanted: readonly string[]): ReportTable {
  const { game } = scored.compared;
  const order = shownOrder(scored);
  const columns: ReportTable['columns'] = [];
  const table: Table = { game, count: order.length, numbers: {}, texts: {} };
  for (const key of new Set(wanted)) {
    const column = columnOf(scored, goals, key);
    if (!column) continue;
    const { title, percent, cells } = column;
    if (cells instanceof Float64Array) table.numbers[key] = Float64Array.from(order, (row) => cells[row] as number);
    else table.texts[key] = order.map((row) => cells[row] ?? null);
    const decimal =
      cells instanceof Float64Array && cells.some((value) => !Number.isNaN(value) && !Number.isInteger(value));
    const type = cells instanceof Float64Array ? (decimal ? 'decimal' : 'integer') : 'text';
    columns.push({
      key,
      title,
      type,
      aliases: [],
      ...(percent ? { percent } : {}),
      ...(key === 'id' ? { ident: true as const } : {}),
    });
  }
  return { columns, table };
}

interface Shown {
  title: string;
  percent?: true;
  cells: Numbers | Texts;
}

function columnOf(scored: Scored, goals: CompareSettings['goals'], key: string): Shown | null {
  const { compared, scores, rolled, scoring, keys } = scored;
  const { common, game } = { common: compared.common, game: compared.game };
  const { governor, kingdom } = GAMES[game];
  const [, kind, figure = ''] = /^(gain|now):(.+)$/.exec(key) ?? [];
  if (kind) {
    if (!keys.includes(figure)) return null;
    const cells = kind === 'gain' ? compared.gains(figure)?.raw : compared.now(figure);
    return cells ? { title: `${titleOf(game, figure)}${kind === 'gain' ? ' Gained' : ''}`, cells } : null;
  }
  const title = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  const shown: Record<string, () => Shown> = {
    rank: () => ({ title: 'Rank', cells: ranked(scored) }),
    id: () => ({ title: `${title(governor.one)} ID`, cells: common.ids }),
    name: () => ({ title: 'Name', cells: common.names }),
    alliance_tag: () => ({ title: 'Alliance', cells: common.tags }),
    kingdom: () => ({ title: title(kingdom.one), cells: Array.from(common.kingdoms, kingdomName) }),
    kingdom_now: () => ({ title: `${title(kingdom.one)} Now`, cells: Array.from(common.kingdomsNow, kingdomName) }),
    power: () => ({ title: 'Power at the Start', cells: common.powers }),
    dkp: () => ({ title: 'DKP', cells: scoring.farms === null ? scores.dkp : rolled.scores }),
    dkp_raw: () => ({ title: 'DKP Raw', cells: scores.raw }),
    ...Object.fromEntries(
      targetsOf(goals).map((target) => [
        goalKey(target),
        (): Shown => ({ title: goalTitle(target), percent: true, cells: goalPercents(scored, goals, target) }),
      ]),
    ),
    doubt: () => ({ title: 'Doubt', cells: doubtTitles(scored) }),
    apart: () => ({ title: 'Counted Apart', cells: Array.from(rolled.apart, (apart) => (apart ? 'yes' : null)) }),
  };
  return Object.hasOwn(shown, key) ? (shown[key] as () => Shown)() : null;
}

/** Ranks of those who count and whose score is known. */
function ranked({ rolled }: Scored): Numbers {
  const counted = rolled.scores.map((score, row) => (rolled.apart[row] ? Number.NaN : score));
  return Float64Array.from(ranksOf(counted), (rank) => rank || Number.NaN);
}

/** Percent of a target that is expected of each one's power at the start; those who are counted apart have no goal. */
export function goalPercents({ compared, rolled }: Scored, goals: CompareSettings['goals'], target: Target): Numbers {
  const judged = {
    game: compared.game,
    powers: compared.common.powers,
    dkp: rolled.scores,
    gains: (key: string) => compared.gains(key),
    isExempt: (row: number) => Boolean(rolled.apart[row]),
  };
  return goalsReached(goals, target, judged).map((percent) => Math.round(percent * 10) / 10);
}

function doubtTitles({ scores }: Scored): Texts {
  return Array.from(scores.doubts, (_, row) => {
    const doubt = doubtAt(scores.doubts, row);
    return doubt && DOUBT_TITLE[doubt];
  });
}
