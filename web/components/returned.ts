import { GAMES } from '../../domain/games/games.ts';
import { centsOf } from '../../domain/money/money.ts';
import type { OrderItem } from '../api/orders.ts';
import { money, ownTime } from '../format.ts';

type Paid = Pick<OrderItem, 'game' | 'kingdom_id' | 'kind' | 'state' | 'price' | 'returned' | 'returns_at'>;

const usd = (dollars: number): string => money(centsOf(dollars) ?? 0);

/** Returns what was returned of an item's price and what will be, as sentences; null if the full price was charged. */
export function returnText({ game, kingdom_id, kind, state, price, returned, returns_at }: Paid): string | null {
  const { kingdom, governor } = GAMES[game];
  if (state === 'failed' && returns_at !== null)
    return `Repair is free. The price returns to the balance that paid it when you cancel, or automatically on ${ownTime(returns_at)}.`;
  const sentences: string[] = [];
  if (returned > 0 && state !== 'cancelled')
    sentences.push(
      kind === 'history'
        ? `${usd(returned)} of ${usd(price)} was returned: no more ${governor.many} of ${kingdom.one} ${kingdom_id} are stored.`
        : `${usd(returned)} of ${usd(price)} was returned: you pay only for each hundred ${governor.many} delivered.`,
    );
  if (returns_at !== null)
    sentences.push(
      `Repair is free. The price of what is still missing is returned automatically on ${ownTime(returns_at)}.`,
    );
  return sentences.length > 0 ? sentences.join(' ') : null;
}
