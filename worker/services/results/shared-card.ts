import { capital, date, exact } from '../../../domain/figures.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { type Kind, layoutOf } from '../../../domain/scans/layouts.ts';
import { orderOf } from '../../../domain/scans/order.ts';
import { doubtedIn } from '../../../domain/scans/quality.ts';
import { numbersOf, type Table, textsOf } from '../../../domain/scans/rows.ts';
import { CARD_ROWS, type Card, type CardRow } from '../../files/card.ts';
import { openStored } from '../../gateways/snapshot-store.ts';

interface Shared {
  game: GameId;
  kingdom_id: number;
  snapshot: { key: string; kind: Kind; captured_at: number; rows: number };
}

/** 'Kingdom 1042 · 21 Nov 2026'. */
export const sharedTitle = ({ game, kingdom_id, snapshot }: Shared): string =>
  `${capital(GAMES[game].kingdom.one)} ${kingdom_id} · ${date(snapshot.captured_at)}`;

/** The picture of shared results: the strongest of the scan whose power is in no doubt. */
export async function sharedCard(store: R2Bucket, shared: Shared): Promise<Card> {
  const { game, snapshot } = shared;
  const { name, roles } = GAMES[game];
  const { row } = layoutOf({ game, kind: snapshot.kind });
  const rows: CardRow[] = [];
  const stored = await openStored(store, snapshot.key);
  // A snapshot lies in the order of power, so its first group has them.
  for await (const table of stored.groups([roles.id, roles.name, roles.tag, roles.power, 'doubted'])) {
    rows.push(...strongest(game, table, shared.kingdom_id));
    break;
  }
  return {
    title: sharedTitle(shared),
    line: `${name} · ${exact(snapshot.rows)} ${snapshot.rows === 1 ? row.one : row.many} by power`,
    rows,
  };
}

function strongest(game: GameId, table: Table, kingdom: number): CardRow[] {
  const { governor, kingdom: home, roles } = GAMES[game];
  const powers = numbersOf(table, roles.power);
  const doubted = table.texts.doubted;
  const ids = numbersOf(table, roles.id);
  const met = new Set<number>();
  const sure = [...orderOf(powers)].filter((row) => {
    const id = ids[row] as number;
    if (Number.isNaN(powers[row]) || doubtedIn(doubted?.[row]).includes('power') || met.has(id)) return false;
    // A history has a row for each of his days.
    met.add(id);
    return true;
  });
  return sure.slice(0, CARD_ROWS).map((row, index) => {
    const tag = textsOf(table, roles.tag)[row];
    return {
      rank: index + 1,
      name: textsOf(table, roles.name)[row] ?? '',
      otherwise: `${capital(governor.one)} ${ids[row]}`,
      about: tag ? `[${tag}]` : `${capital(home.one)} ${kingdom}`,
      value: powers[row] as number,
    };
  });
}
