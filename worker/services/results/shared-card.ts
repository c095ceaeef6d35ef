import type * as z from 'zod';
import { counted, date } from '../../../domain/figures.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { governorTitle, kingdomTitle } from '../../../domain/games/titles.ts';
import { t } from '../../../domain/language/text.ts';
import type { sharedResults } from '../../../domain/orders/answers.ts';
import { isFileTime } from '../../../domain/scans/file-time.ts';
import { layoutOf } from '../../../domain/scans/layouts.ts';
import { orderOf } from '../../../domain/scans/order.ts';
import { doubtedIn } from '../../../domain/scans/quality.ts';
import type { ResultSums } from '../../../domain/scans/result-sums.ts';
import { MAX_SHOWN_ROWS, ROWS_AT_ONCE } from '../../../domain/scans/results.ts';
import { numbersOf, type Table, textsOf } from '../../../domain/scans/rows.ts';
import { logError } from '../../errors.ts';
import { CARD_ROWS, type Card, type CardRow, lineOf } from '../../files/card.ts';
import { openStored } from '../../gateways/snapshot-store.ts';
import { drawCard, type Studio } from '../boards/draw-card.ts';
import { combinedSums } from './combine-results.ts';
import { byShape, countRows, type Stored } from './page-results.ts';
import type { Shared } from './shared-link.ts';

/** Returns the number of kingdoms with results and the time of the newest. */
const spanOf = (snapshots: readonly Stored[]) => ({
  kingdoms: new Set(snapshots.map(({ game, kingdom_id }) => `${game} ${kingdom_id}`)).size,
  captured_at: Math.max(...snapshots.map(({ captured_at }) => captured_at)),
});

/** Returns shared results for the head of their page, with their totals. */
export const shownWithSums = async (store: R2Bucket, shared: Shared): Promise<z.infer<typeof sharedResults>> => ({
  ...shownShared(shared),
  sums: await sumsOf(store, shared),
});

async function sumsOf(store: R2Bucket, { snapshots }: Shared): Promise<ResultSums | null> {
  if (countRows(snapshots) > ROWS_AT_ONCE || byShape(snapshots).length > 1) return null;
  // The page sums the last day of all rows, which not every history may have.
  if (snapshots.length > 1 && snapshots[0].kind === 'history') return null;
  try {
    return (await combinedSums(store, snapshots)).totals[0] ?? null;
  } catch (error) {
    // The page works without them.
    logError({ sums: snapshots.map(({ key }) => key) }, error);
    return null;
  }
}

/** Returns shared results without their totals. */
export function shownShared({
  game,
  combined,
  snapshots,
  expires_at,
}: Shared): Omit<z.infer<typeof sharedResults>, 'sums'> {
  const { kingdoms, captured_at } = spanOf(snapshots);
  return {
    game,
    kind: snapshots.every(({ kind }) => kind === 'history') ? 'history' : 'scan',
    combined,
    kingdom_id: snapshots[0].kingdom_id,
    kingdom_count: kingdoms,
    captured_at,
    by_file_time: snapshots.some(({ source }) => isFileTime(source)),
    rows: countRows(snapshots),
    expires_at,
  };
}

/** Returns 'Kingdom 1042 · 21 Nov 2026' or '12 kingdoms · 21 Nov 2026'. */
export function sharedTitle({ game, snapshots }: Shared): string {
  const { kingdom } = GAMES[game];
  const { kingdoms, captured_at } = spanOf(snapshots);
  const places =
    kingdoms === 1 ? kingdomTitle(game, snapshots[0].kingdom_id) : counted(kingdoms, kingdom.one, kingdom.many);
  return `${places} · ${date(captured_at)}`;
}

/** Draws the image of shared results. */
export const sharedPicture = async (studio: Studio, shared: Shared): Promise<ArrayBuffer> =>
  drawCard(studio, await sharedCard(studio.store, shared));

/** Returns the card of shared results: a scan's strongest governors, or the strongest of several kingdoms. */
export const sharedCard = (store: R2Bucket, shared: Shared): Promise<Card> =>
  shared.snapshots.length === 1 ? scanCard(store, shared) : kingdomsCard(store, shared);

/** Returns kingdoms ranked by the total power of their governors. */
async function kingdomsCard(store: R2Bucket, shared: Shared): Promise<Card> {
  const { snapshots, game } = shared;
  const { name, governor } = GAMES[game];
  // Results too large to be shown together have no sums either.
  const { parts } = countRows(snapshots) > MAX_SHOWN_ROWS ? { parts: [] } : await combinedSums(store, snapshots);
  const known = snapshots.flatMap((snapshot, index) => {
    const power = parts[index]?.power.value ?? null;
    return power === null || snapshot.game !== game || snapshot.kind !== 'scan' ? [] : [{ ...snapshot, power }];
  });
  return {
    title: sharedTitle(shared),
    line: lineOf(
      name,
      counted(countRows(snapshots), 'row'),
      t('{game, select, cod {servers by power} other {kingdoms by power}}', { game }),
    ),
    rows: known
      .toSorted((one, other) => other.power - one.power)
      .slice(0, CARD_ROWS)
      .map(({ kingdom_id, power, rows }, index) => {
        const title = kingdomTitle(game, kingdom_id);
        const about = counted(rows, governor.one, governor.many);
        return { rank: index + 1, name: title, otherwise: title, about, value: power };
      }),
  };
}

/** Returns the strongest governors of a scan whose power is not in doubt. */
async function scanCard(store: R2Bucket, shared: Shared): Promise<Card> {
  const { game, snapshots } = shared;
  const [snapshot] = snapshots;
  const { name, roles } = GAMES[game];
  const { row } = layoutOf({ game, kind: snapshot.kind });
  const rows: CardRow[] = [];
  const stored = await openStored(store, snapshot.key);
  // Snapshots are sorted by power, so the first group has the strongest.
  for await (const table of stored.groups([roles.id, roles.name, roles.tag, roles.power, 'doubted'])) {
    rows.push(...strongest(game, table, snapshot.kingdom_id));
    break;
  }
  return {
    title: sharedTitle(shared),
    line: lineOf(name, t('{rows} by power', { rows: counted(snapshot.rows, row.one, row.many) })),
    rows,
  };
}

function strongest(game: GameId, table: Table, kingdom: number): CardRow[] {
  const { roles } = GAMES[game];
  const powers = numbersOf(table, roles.power);
  const doubted = table.texts.doubted;
  const ids = numbersOf(table, roles.id);
  const met = new Set<number>();
  const sure = [...orderOf(powers)].filter((row) => {
    const id = ids[row] as number;
    if (Number.isNaN(powers[row]) || doubtedIn(doubted?.[row]).includes('power') || met.has(id)) return false;
    // A history has one row per governor and day.
    met.add(id);
    return true;
  });
  return sure.slice(0, CARD_ROWS).map((row, index) => {
    const tag = textsOf(table, roles.tag)[row];
    return {
      rank: index + 1,
      name: textsOf(table, roles.name)[row] ?? '',
      otherwise: governorTitle(game, String(ids[row])),
      about: tag ? `[${tag}]` : kingdomTitle(game, kingdom),
      value: powers[row] as number,
    };
  });
}
