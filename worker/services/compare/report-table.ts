import { DOUBT_TITLE, doubtAt } from '../../../domain/difference/doubts.ts';
import { FILE_TITLES } from '../../../domain/difference/file-titles.ts';
import { type GoalTarget, goalTitle, targetsOf } from '../../../domain/difference/goals.ts';
import { weighed } from '../../../domain/difference/scoring.ts';
import type { VerifiedDeads } from '../../../domain/difference/verified.ts';
import { capital } from '../../../domain/figures.ts';
import { GAMES } from '../../../domain/games/games.ts';
import { words } from '../../../domain/language/text.ts';
import { ranksOf } from '../../../domain/scans/order.ts';
import { type Numbers, numbersOf, type Texts, textsOf } from '../../../domain/scans/rows.ts';
import { goalPercents, homesOf } from '../difference/comparison.ts';
import { columnTitle, type FileTable, fileTable } from '../difference/write-file.ts';
import { type Scored, verifiedAt } from './score.ts';

/** Makes the table of a comparison's governors, to show or to save: ranked governors first, highest score first. */

/** Default columns of a report. */
export const usualColumns = ({ scoring, gained }: Scored): string[] => [
  ...['rank', 'name', 'alliance_tag', 'kingdom', 'power'],
  ...weighed(scoring.weights).flatMap(([key]) => (gained.includes(key) ? [`gain:${key}`] : [])),
  ...['dkp', 'dkp_raw', 'verified_t4', 'verified_t5', 'doubt'],
];

/** Returns the key of a target's column. DKP's key predates the others. */
export const goalKey = (target: GoalTarget): string => (target === 'dkp' ? 'goal' : `goal_${target}`);

/** Keys of all columns. */
export const allColumns = ({ gained, goals }: Scored): string[] => [
  ...['rank', 'id', 'name', 'alliance_tag', 'kingdom', 'kingdom_now', 'power'],
  ...gained.flatMap((key) => [`now:${key}`, `gain:${key}`]),
  ...['dkp', 'dkp_raw'],
  ...targetsOf(goals).map(goalKey),
  ...['verified_t4', 'verified_t5'],
  ...['doubt', 'apart'],
];

/** Returns the governors of both sides in their displayed order. */
function shownOrder({ compared, rolled }: Scored): number[] {
  const { game, from, rows } = compared;
  const powers = numbersOf(from, GAMES[game].roles.power);
  const worth = (values: Numbers, row: number) => (Number.isNaN(values[row]) ? -Infinity : (values[row] as number));
  return [...rolled.scores.keys()].sort(
    (a, b) =>
      (rolled.apart[a] as number) - (rolled.apart[b] as number) ||
      worth(rolled.scores, b) - worth(rolled.scores, a) ||
      worth(powers, rows.from[b] as number) - worth(powers, rows.from[a] as number) ||
      a - b,
  );
}

/** Returns a table of these columns without those that the comparison lacks. */
export function reportTable(scored: Scored, wanted: readonly string[]): FileTable {
  const { game, rows } = scored.compared;
  const pairs = shownOrder(scored);
  const orders = {
    pairs,
    from: pairs.map((pair) => rows.from[pair] as number),
    to: pairs.map((pair) => rows.to[pair] as number),
  };
  const shown = [...new Set(wanted)].flatMap((key) => {
    const found = columnOf(scored, key);
    if (!found) return [];
    const { title, percent, cells, of = 'pairs' } = found;
    const type = cells instanceof Float64Array ? ('integer' as const) : ('text' as const);
    const ident = key === 'id' ? { ident: true as const } : {};
    return [
      {
        column: { key, title, type, aliases: [], ...(percent ? { percent } : {}), ...ident },
        cells,
        order: orders[of],
      },
    ];
  });
  const { columns, table } = fileTable(game, shown, pairs.length);
  const hasFractions = (key: string) =>
    table.numbers[key]?.some((value) => !Number.isNaN(value) && !Number.isInteger(value)) ?? false;
  return {
    columns: columns.map((column) => (hasFractions(column.key) ? { ...column, type: 'decimal' } : column)),
    table,
  };
}

interface Shown {
  title: string;
  percent?: true;
  cells: Numbers | Texts;
  /** The side whose rows the cells belong to; by default the governors of both sides. */
  of?: 'from' | 'to';
}

function columnOf(scored: Scored, key: string): Shown | null {
  const { compared, scores, rolled, scoring, gained, goals } = scored;
  const { game, from, to } = compared;
  const { governor, kingdom, roles } = GAMES[game];
  const [, kind, figure = ''] = /^(gain|now):(.+)$/.exec(key) ?? [];
  if (kind) {
    if (!gained.includes(figure)) return null;
    if (kind === 'now') return { title: columnTitle(game, figure), cells: numbersOf(to, figure), of: 'to' };
    return { title: `${columnTitle(game, figure)} Gained`, cells: compared.gains(figure)?.raw ?? [] };
  }
  const home = homesOf(scored);
  const verified = (tier: keyof VerifiedDeads): Numbers =>
    Float64Array.from({ length: compared.rows.common }, (_, pair) => verifiedAt(scored, pair)?.[tier] ?? Number.NaN);
  const perPair = (textOf: (pair: number) => string | null): Texts =>
    Array.from({ length: compared.rows.common }, (_, pair) => textOf(pair));
  const shown: Record<string, () => Shown> = {
    rank: () => ({ title: FILE_TITLES.rank, cells: ranked(scored) }),
    id: () => ({ title: `${capital(governor.one)} ID`, cells: numbersOf(from, roles.id), of: 'from' }),
    name: () => ({ title: FILE_TITLES.name, cells: textsOf(to, roles.name), of: 'to' }),
    alliance_tag: () => ({ title: FILE_TITLES.alliance, cells: textsOf(to, roles.tag), of: 'to' }),
    kingdom: () => ({ title: capital(kingdom.one), cells: perPair((pair) => home(pair).kingdom) }),
    kingdom_now: () => ({ title: `${capital(kingdom.one)} Now`, cells: perPair((pair) => home(pair).now) }),
    power: () => ({ title: FILE_TITLES.power_at_start, cells: numbersOf(from, roles.power), of: 'from' }),
    dkp: () => ({ title: FILE_TITLES.dkp, cells: scoring.farms === null ? scores.dkp : rolled.scores }),
    dkp_raw: () => ({ title: FILE_TITLES.dkp_raw, cells: scores.raw }),
    ...Object.fromEntries(
      targetsOf(goals).map((target) => [
        goalKey(target),
        (): Shown => ({ title: goalTitle(target), percent: true, cells: goalPercents(scored, target) }),
      ]),
    ),
    ...(Object.keys(scoring.verified).length > 0 && {
      verified_t4: () => ({ title: FILE_TITLES.verified_t4, cells: verified('t4') }),
      verified_t5: () => ({ title: FILE_TITLES.verified_t5, cells: verified('t5') }),
    }),
    doubt: () => ({ title: FILE_TITLES.doubt, cells: doubtTitles(scored) }),
    apart: () => ({ title: FILE_TITLES.apart, cells: perPair((pair) => (rolled.apart[pair] ? 'yes' : null)) }),
  };
  return Object.hasOwn(shown, key) ? (shown[key] as () => Shown)() : null;
}

/** Ranks governors who count and whose score is known. */
function ranked({ rolled }: Scored): Numbers {
  const counted = rolled.scores.map((score, row) => (rolled.apart[row] ? Number.NaN : score));
  return Float64Array.from(ranksOf(counted), (rank) => rank || Number.NaN);
}

function doubtTitles({ scores }: Scored): Texts {
  return Array.from(scores.doubts, (_, row) => {
    const doubt = doubtAt(scores.doubts, row);
    return doubt && words(DOUBT_TITLE[doubt]);
  });
}
