import { type Compared, comparedOver } from '../../../domain/compare/compared.ts';
import type { CompareQuery, Range } from '../../../domain/compare/contract.ts';
import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';
import { minuteText } from '../../../domain/days.ts';
import { differenceOf, figuresOf } from '../../../domain/difference/difference.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { type Sentence, sentence } from '../../../domain/language/text.ts';
import type { Table } from '../../../domain/scans/rows.ts';
import type { Db } from '../../db/open.ts';
import { notFound, Refusal } from '../../errors.ts';
import type { Slot } from '../../isolate/memory.ts';
import { rangesOfFights } from '../../models/compare/fights.ts';
import { rosterOver } from '../../models/compare/rosters.ts';
import { type KeptScan, scansOf } from '../../models/library/scans.ts';
import { loadSide } from '../difference/load-side.ts';
import { keptColumns } from './kept-columns.ts';
import { kingdomsCompared } from './score.ts';
import { inSlot, slotFor } from './slot.ts';

/** A range with the scans that it is made from. */
export interface MadeRange {
  from: KeptScan[];
  to: KeptScan[];
}

export interface Loaded {
  game: GameId;
  ranges: MadeRange[];
  compared: Compared;
  /** The rosters of its kingdoms. */
  roster: RosterEntry[];
  /** Its memory, released when the answer is sent. */
  slot: Slot;
}

/** Maximum rows of one side: two such sides fill half of an isolate. */
const MAX_SIDE_ROWS = 120_000;
/** Maximum rows of all sides of a comparison together. A scan that several fights share counts for each. */
const MAX_COMPARED_ROWS = 2 * MAX_SIDE_ROWS;

const rowsIn = (scans: readonly KeptScan[]): number => scans.reduce((sum, { rows }) => sum + rows, 0);
const rowsInAll = (made: readonly MadeRange[]): number =>
  made.reduce((sum, { from, to }) => sum + rowsIn(from) + rowsIn(to), 0);

/** Returns the ranges that a query names: from and to, or those of fights. */
export async function rangesOf(db: Db, userId: string, { from, to, fights }: CompareQuery): Promise<Range[]> {
  if (!fights) return [{ from: from ?? [], to: to ?? [] }];
  const found = await rangesOfFights(db, userId, fights);
  if (found.length < new Set(fights).size) throw notFound('fight');
  return found;
}

/**
 * Loads scans of a user's library to compare. @throws Refusal if a scan is not the user's, or the ranges cannot be
 * compared: two games, readings and sums over days, an end before its start, or two that overlap.
 */
export async function compareScans(
  store: R2Bucket,
  db: Db,
  userId: string,
  ranges: readonly Range[],
  { more = [], known = [] }: { more?: readonly string[]; known?: readonly KeptScan[] } = {},
): Promise<Loaded> {
  const made = await scansOfRanges(db, userId, ranges, known);
  const [{ game }] = (made[0] as MadeRange).from as [KeptScan];
  const slot = await slotFor(rowsInAll(made));
  return inSlot(slot, async () => {
    // Governors usually belong to the scanned kingdoms, so the rosters of those are read together with the scans.
    const scanned = kingdomsIn(made);
    const [entries, comparing] = await Promise.allSettled([
      rosterOver(db, userId, game, scanned),
      compare(store, game, made, more),
    ]);
    if (comparing.status === 'rejected') throw comparing.reason;
    const compared = comparing.value;
    const kingdoms = kingdomsCompared(compared);
    const isSame = kingdoms.length === scanned.length && kingdoms.every((kingdom) => scanned.includes(kingdom));
    const isRead = isSame && entries.status === 'fulfilled';
    const roster = isRead ? entries.value : await rosterOver(db, userId, game, kingdoms);
    return { game, ranges: made, compared, roster, slot };
  });
}

const kingdomsIn = (made: readonly MadeRange[]): number[] => [
  ...new Set(made.flatMap(({ from, to }) => [...from, ...to]).map(({ kingdom_id }) => kingdom_id)),
];

async function compare(
  store: R2Bucket,
  game: GameId,
  made: readonly MadeRange[],
  more: readonly string[],
): Promise<Compared> {
  const sides = new Map<string, Promise<Table>>();
  const sideOf = (scans: readonly KeptScan[]): Promise<Table> => {
    const name = scans.map(({ key }) => key).join('\n');
    const side = sides.get(name) ?? keptSide(store, game, scans, more);
    sides.set(name, side);
    return side;
  };
  const differences = [];
  for (const { from, to } of made) {
    const [first, last] = await Promise.all([sideOf(from), sideOf(to)]);
    differences.push(differenceOf(first, last));
  }
  return comparedOver(differences);
}

/**
 * Returns the scans of ranges, earliest range first. They must be the user's and fit together. `known` are scans of the
 * user that were just read.
 */
async function scansOfRanges(
  db: Db,
  userId: string,
  ranges: readonly Range[],
  known: readonly KeptScan[] = [],
): Promise<MadeRange[]> {
  const ids = [...new Set(ranges.flatMap(({ from, to }) => [...from, ...to]))];
  const isKnown = ids.every((id) => known.some((scan) => scan.scan_id === id));
  const scans = isKnown ? known : await scansOf(db, userId, ids);
  const found = new Map(scans.map((scan) => [scan.scan_id, scan]));
  const pick = (id: string): KeptScan => {
    const scan = found.get(id);
    if (!scan) throw notFound('scan');
    return scan;
  };
  const made = ranges.map(({ from, to }) => ({ from: from.map(pick), to: to.map(pick) }));
  refuseUnlike(made);
  const start = ({ from }: MadeRange) => Math.min(...from.map(({ captured_at }) => captured_at));
  return made.sort((a, b) => start(a) - start(b));
}

/** Returns the game of the scans of ranges, all of which must be the user's. @throws Refusal not_found. */
export async function gameOfRanges(db: Db, userId: string, ranges: readonly Range[]): Promise<GameId> {
  const [made] = await scansOfRanges(db, userId, ranges);
  const game = made?.from[0]?.game;
  if (!game) throw notFound('scan');
  return game;
}

/** Returns the time of a kingdom's newest scan; -Infinity if it has none. */
const newest = (scans: readonly KeptScan[], kingdom: number): number =>
  Math.max(...scans.filter(({ kingdom_id }) => kingdom_id === kingdom).map(({ captured_at }) => captured_at));

/** Returns a kingdom on both sides whose end is not later than its start. Other kingdoms of the range would hide it. */
function kingdomBackwards(from: readonly KeptScan[], to: readonly KeptScan[]): number | null {
  const backwards = ({ kingdom_id }: KeptScan) => newest(to, kingdom_id) <= newest(from, kingdom_id);
  // A kingdom without an earlier scan has no start to compare with.
  return to.find(backwards)?.kingdom_id ?? null;
}

/** A kingdom with two ranges of which one begins before the other ends. */
interface Overlap {
  kingdom: number;
  start: number;
  end: number;
}

/** Returns an overlap of two ranges, whose gains would count twice; null if there is none. */
function overlapOf(made: readonly MadeRange[]): Overlap | null {
  for (const kingdom of kingdomsIn(made)) {
    const ranges = made
      .map(({ from, to }) => ({ start: newest(from, kingdom), end: newest(to, kingdom) }))
      .filter(({ start, end }) => Number.isFinite(start) && Number.isFinite(end))
      .sort((a, b) => a.start - b.start);
    for (const [place, { start }] of ranges.entries()) {
      const end = ranges[place - 1]?.end;
      if (end !== undefined && start < end) return { kingdom, start, end };
    }
  }
  return null;
}

function refuseUnlike(made: readonly MadeRange[]): void {
  const all = made.flatMap(({ from, to }) => [...from, ...to]);
  const invalid = (why: string | Sentence): never => {
    throw new Refusal('invalid', why);
  };
  if (new Set(all.map(({ game }) => game)).size > 1)
    invalid('The scans are of two games, which have nothing in common.');
  const sums = all.filter(({ range_from }) => range_from !== null);
  if (sums.length > 0 && sums.length < all.length)
    invalid('Sums over days and readings of a moment cannot be compared.');
  if (new Set(sums.map(({ range_from }) => range_from)).size > 1)
    invalid('Sums over days can be compared where they begin on the same day.');
  for (const { from, to } of made) {
    const [start, end] = [from, to].map((side) => Math.max(...side.map(({ captured_at }) => captured_at)));
    if ((end as number) <= (start as number)) invalid('to: must be later than from.');
    const backwards = kingdomBackwards(from, to);
    if (backwards !== null)
      invalid(
        sentence(
          'the scan of {game, select, cod {server} other {kingdom}} {id} must be later than that of from.',
          { game: (from[0] as KeptScan).game, id: String(backwards) },
          'to',
        ),
      );
    for (const side of [from, to])
      if (rowsIn(side) > MAX_SIDE_ROWS)
        throw new Refusal(
          'too_large',
          sentence('A side of a comparison may have {rows} rows at most.', { rows: MAX_SIDE_ROWS }),
        );
  }
  const overlap = overlapOf(made);
  if (overlap)
    invalid(
      sentence(
        'The fights of {game, select, cod {server} other {kingdom}} {id} overlap, so gains would count twice: one ends at {end}, another begins at {start}.',
        {
          game: (all[0] as KeptScan).game,
          id: String(overlap.kingdom),
          end: minuteText(overlap.end),
          start: minuteText(overlap.start),
        },
      ),
    );
  const rows = rowsInAll(made);
  if (rows > MAX_COMPARED_ROWS)
    throw new Refusal(
      'too_large',
      sentence('The fights of a comparison may have {most} rows together at most; these have {rows}.', {
        most: MAX_COMPARED_ROWS,
        rows,
      }),
    );
}

/** Columns that every scan must have, and columns that are read if a scan has them. */
function columnsFor(game: GameId, more: readonly string[]): { always: string[]; where: string[] } {
  const { id, name, tag, kingdom, power, score, deads, tiers } = GAMES[game].roles;
  const { allKills, map } = GAMES[game];
  const figures = new Set(figuresOf(game).map(({ key }) => key));
  const wanted = [...more, 'deads_t4', 'deads_t5', ...(allKills ? [allKills] : [])];
  return {
    always: [id, name, tag, kingdom, power],
    where: [...new Set([score, deads, ...tiers, ...wanted])].filter((key) => figures.has(key)).concat(map ?? []),
  };
}

/** Returns a side of a comparison, from cached columns if possible. */
function keptSide(store: R2Bucket, game: GameId, scans: readonly KeptScan[], more: readonly string[]): Promise<Table> {
  const { always, where } = columnsFor(game, more);
  const key = scans.map((scan) => scan.key).join('\n');
  return keptColumns(key, [...always, ...where], (missing) => {
    const isMissing = (column: string) => missing.includes(column);
    return loadSide(store, game, scans, { core: always.filter(isMissing), more: where.filter(isMissing) });
  });
}
