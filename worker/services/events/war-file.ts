import { DOUBT_TITLE } from '../../../domain/difference/doubts.ts';
import { goalsReached, goalTitle, type Target, targetsOf } from '../../../domain/difference/goals.ts';
import { gainKeys, rowColumns } from '../../../domain/events/columns.ts';
import { capital } from '../../../domain/figures.ts';
import { type Column, columnOf, GAMES } from '../../../domain/games/games.ts';
import { ranksOf } from '../../../domain/scans/order.ts';
import { numbersOf, type Table, type Texts } from '../../../domain/scans/rows.ts';

import { csvChunks } from '../../files/export.ts';
import { release } from '../../files/release.ts';
import { type Sheet, xlsxChunks } from '../../files/xlsx.ts';
import type { Summary } from '../../files/xlsx-template.ts';
import { campSums, keySums, type War } from './war.ts';
import { doubtsAt, keysAtEnd, type Range, rankedRows } from './write-data.ts';

/** The individual table as a file: who, what he has, what he gained, and what is doubtful about it. */

const whole = (key: string, title: string): Column => ({ key, title, type: 'integer', aliases: [] });
const text = (key: string, title: string): Column => ({ key, title, type: 'text', aliases: [] });

/** The columns and rows of the file, in the order of the ranks. */
export function warFile(war: War): { columns: Column[]; table: Table } {
  const { difference, plan, scores, keys } = war;
  const { to, partner } = difference;
  const { game } = plan;
  const order = rankedRows(war);
  const before = new Int32Array(to.count).fill(-1);
  partner.forEach((place, row) => {
    if (place >= 0) before[place] = row;
  });
  const keyOf = keysAtEnd(war);
  const gained = gainKeys(game, plan.weights).flatMap((key) => {
    const gains = war.gains(key);
    return gains ? [{ key, ...gains }] : [];
  });
  const fractions = plan.weights && Object.values(plan.weights).some((weight) => !Number.isInteger(weight));
  const score = (key: string, title: string): Column => ({
    ...whole(key, title),
    type: fractions ? 'decimal' : 'integer',
  });
  const targets = targetsOf(plan.goals);
  const rowOf = rowColumns(game).filter(({ key }) => to.numbers[key] ?? to.texts[key]);
  const columns = [
    whole('rank', 'Rank'),
    text('camp', 'Camp'),
    text('kingdom', 'Counts for'),
    ...rowOf,
    ...gained.map(({ key }) => whole(`${key}_gain`, `${columnOf(game, key)?.title ?? key} Gained`)),
    score('dkp', 'DKP'),
    score('dkp_raw', 'DKP Raw'),
    ...targets.map((target): Column => ({ ...whole(`goal_${target}`, goalTitle(target)), type: 'decimal' })),
    text('doubt', 'Doubt'),
  ];
  const pick = (values: Float64Array, place: (row: number) => number) =>
    Float64Array.from(order, (row) => (place(row) < 0 ? Number.NaN : (values[place(row)] as number)));
  const earlier = (row: number) => before[row] as number;
  const same = (row: number) => row;
  const numbers: Table['numbers'] = {};
  const texts: Record<string, Texts> = {};
  for (const { key, type } of rowOf) {
    if (type === 'text') texts[key] = Array.from(order, (row) => to.texts[key]?.[row] ?? null);
    else numbers[key] = pick(numbersOf(to, key), same);
  }
  for (const { key, raw } of gained) numbers[`${key}_gain`] = pick(raw, earlier);
  numbers.dkp = pick(scores.dkp, earlier);
  numbers.dkp_raw = pick(scores.raw, earlier);
  for (const target of targets) numbers[`goal_${target}`] = pick(goalPercents(war, target), earlier);
  numbers.rank = Float64Array.from(ranksOf(numbers.dkp), (rank) => rank || Number.NaN);
  texts.kingdom = Array.from(order, (row) => keys[keyOf[row] as number] ?? null);
  texts.camp = Array.from(order, (row) => plan.camps[war.campOf[keyOf[row] as number] as number]?.name ?? null);
  texts.doubt = Array.from(order, (row) => doubtText(game, gained, earlier(row)));
  return { columns, table: { game, count: order.length, numbers, texts } };
}

/** Percent of a target that each row of `from` reached, to a tenth. */
function goalPercents({ plan, difference, scores, gains }: War, target: Target): Float64Array {
  const { id, power } = GAMES[plan.game].roles;
  const { from } = difference;
  const exempt = new Set(plan.exempt);
  const ids = numbersOf(from, id);
  const judged = {
    game: plan.game,
    powers: numbersOf(from, power),
    dkp: scores.dkp,
    gains,
    isExempt: (row: number) => exempt.has(ids[row] as number),
  };
  return goalsReached(plan.goals, target, judged).map((percent) => Math.round(percent * 10) / 10);
}

function doubtText(
  game: War['plan']['game'],
  gained: readonly { key: string; doubts: Uint8Array }[],
  row: number,
): string | null {
  if (row < 0) return null;
  const titles = (figures: readonly string[]) => figures.map((key) => columnOf(game, key)?.title ?? key).join(', ');
  const doubts = doubtsAt(gained, row).map(({ reason, figures }) => `${DOUBT_TITLE[reason]}: ${titles(figures)}`);
  return doubts.length > 0 ? doubts.join('; ') : null;
}

/** The workbook around the rows. */
export function warSheet(war: War, columns: readonly Column[], rows: number, { start, end }: Range): Sheet {
  const { plan } = war;
  const { short, governor, kingdom } = GAMES[plan.game];
  const sums = campSums(keySums(war, []), war.campOf, plan.camps.length);
  const camps = plan.camps.flatMap(({ name }, camp): Summary['figures'] => [
    [`${name}: DKP`, sums[camp]?.dkp ?? '?'],
    [`${name}: left out as doubtful`, sums[camp]?.left_out ?? 0],
  ]);
  return {
    title: `${short} ${plan.kvk_id}`.slice(0, 31),
    columns,
    rows,
    summary: {
      figures: [
        ['Event', plan.name],
        ['From', new Date(start)],
        ['To', new Date(end)],
        [capital(governor.many), rows],
        ...camps,
      ],
      quality: {},
      nouns: { kingdom: capital(kingdom.one), governors: capital(governor.many) },
      kingdoms: [],
    },
  };
}

/** The file in pieces. */
export function warFileChunks(war: War, range: Range, type: 'csv' | 'xlsx'): AsyncIterable<Uint8Array> {
  const { columns, table } = warFile(war);
  const tables = async function* () {
    try {
      yield table;
    } finally {
      release(Object.values(table.numbers).map(({ buffer }) => buffer));
    }
  };
  return type === 'csv' ? csvChunks(columns, tables()) : xlsxChunks(warSheet(war, columns, table.count, range), tables);
}
