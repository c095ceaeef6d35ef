import { DOUBT_TITLE } from '../../../domain/difference/doubts.ts';
import { FILE_TITLES } from '../../../domain/difference/file-titles.ts';
import { goalTitle, targetsOf } from '../../../domain/difference/goals.ts';
import { rowColumns } from '../../../domain/events/columns.ts';
import { type Column, GAMES, type GameId } from '../../../domain/games/games.ts';
import { labelled, listed, t, words } from '../../../domain/language/text.ts';
import { releaseTable } from '../../../domain/release.ts';
import { ranksOf } from '../../../domain/scans/order.ts';
import { type Summary, summaryOf } from '../../files/xlsx-template.ts';
import { doubtsAt, type GainedColumn, gainsOfAll, goalPercents, groupSums } from '../difference/comparison.ts';
import {
  columnTitle,
  type FileColumn,
  type FileTable,
  fileChunks,
  fileTable,
  nounsOf,
  peopleFigures,
  sheetOf,
  text,
  whole,
} from '../difference/write-file.ts';
import { campSums, type EventWar } from './war.ts';
import { governorsAtEnd, type SnapshotRange } from './write-data.ts';

/** The individual table as a file: governors with their figures, gains and doubts, in the order of the ranks. */
function warFile(war: EventWar, kingdom: string | null): FileTable {
  const { compared, plan, scores, campOf, start, end } = war;
  const { game, to, rows } = compared;
  const kingdomAt = (row: number, pair: number) => (pair < 0 ? end[row] : start[rows.from[pair] as number]) as number;
  const everybody = governorsAtEnd(war);
  const { pairAt } = everybody;
  const key = kingdom === null ? null : war.kingdoms.indexOf(kingdom);
  const order =
    key === null ? everybody.order : everybody.order.filter((row) => kingdomAt(row, pairAt[row] as number) === key);
  const pairs = Int32Array.from(order, (row) => pairAt[row] as number);
  const gained = gainsOfAll(compared, war.gained);
  const hasFractions = Object.values(plan.weights).some((weight) => !Number.isInteger(weight));
  const score = (key: string, title: string): Column => ({
    ...whole(key, title),
    type: hasFractions ? 'decimal' : 'integer',
  });
  const inOrder = (textOf: (row: number, pair: number) => string | null) =>
    Array.from(order, (row, index) => textOf(row, pairs[index] as number));
  const campAt = (row: number, pair: number) => plan.camps[campOf[kingdomAt(row, pair)] as number]?.name ?? null;
  const places = order.map((_, index) => index);
  const ofPair = (column: Column, cells: FileColumn['cells']) => ({ column, cells, order: pairs });
  const ofPlace = (column: Column, cells: FileColumn['cells']) => ({ column, cells, order: places });
  // A kingdom's governors keep their ranks in the event.
  const ranks = ranksOf(scores.dkp);
  return fileTable(
    game,
    [
      ofPlace(
        whole('rank', FILE_TITLES.rank),
        Float64Array.from(pairs, (pair) => (pair < 0 ? 0 : (ranks[pair] as number)) || Number.NaN),
      ),
      ofPlace(text('camp', FILE_TITLES.camp), inOrder(campAt)),
      ofPlace(
        text('kingdom', FILE_TITLES.counts_for),
        inOrder((row, pair) => war.kingdoms[kingdomAt(row, pair)] ?? null),
      ),
      ...rowColumns(game).flatMap((column) => {
        const cells = to.numbers[column.key] ?? to.texts[column.key];
        return cells ? [{ column, cells, order }] : [];
      }),
      ...gained.map(({ key, raw }) => ofPair(whole(`${key}_gain`, `${columnTitle(game, key)} Gained`), raw)),
      ofPair(score('dkp', FILE_TITLES.dkp), scores.dkp),
      ofPair(score('dkp_raw', FILE_TITLES.dkp_raw), scores.raw),
      ...targetsOf(plan.goals).map((target) =>
        ofPair({ ...whole(`goal_${target}`, goalTitle(target)), type: 'decimal' }, goalPercents(war, target)),
      ),
      ofPlace(
        text('doubt', FILE_TITLES.doubt),
        inOrder((_, pair) => doubtText(game, gained, pair)),
      ),
    ],
    order.length,
  );
}

function doubtText(game: GameId, gained: readonly GainedColumn[], pair: number): string | null {
  if (pair < 0) return null;
  const titles = (figures: readonly string[]) => listed(figures.map((key) => words(columnTitle(game, key))));
  const doubts = doubtsAt(gained, pair).map(({ reason, figures }) =>
    labelled(words(DOUBT_TITLE[reason]), titles(figures)),
  );
  return doubts.length > 0 ? doubts.join('; ') : null;
}

/** Returns the workbook's facts about the whole event. */
function summarised(war: EventWar, rows: number, { start, end }: SnapshotRange): Summary {
  const { plan } = war;
  const sums = campSums(groupSums(war, []), war.campOf, plan.camps.length);
  const camps = plan.camps.flatMap(({ name }, camp): Summary['figures'] => [
    [labelled(words(name), words(FILE_TITLES.dkp)), sums[camp]?.dkp ?? '?'],
    [labelled(words(name), words(FILE_TITLES.left_out)), sums[camp]?.left_out ?? 0],
  ]);
  const nouns = nounsOf(plan.game);
  return summaryOf({
    figures: [
      [t('Event'), plan.name],
      [t('From'), new Date(start)],
      [t('To'), new Date(end)],
      [nouns.governors, rows],
      ...peopleFigures(war.compared),
      ...camps,
    ],
    quality: {},
    nouns,
    kingdoms: [],
  });
}

export interface FileWanted {
  type: 'csv' | 'xlsx';
  /** The only kingdom whose governors it has; null for all. */
  kingdom: string | null;
  /** True for titles in the current language as header row. */
  titled: boolean;
}

/** Yields the file in chunks. */
export function warFileChunks(
  war: EventWar,
  range: SnapshotRange,
  { type, kingdom, titled }: FileWanted,
): AsyncIterable<Uint8Array> {
  const file = warFile(war, kingdom);
  const title = `${GAMES[war.plan.game].short} ${war.plan.kvk_id}`;
  const sheet = sheetOf(title, file, () => releaseTable(file.table));
  return fileChunks(type, [sheet], summarised(war, file.table.count, range), titled);
}
