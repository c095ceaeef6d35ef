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
    return `Repair is free. The price comes back when you cancel, or by itself on ${ownTime(returns_at)}.`;
  const sentences: string[] = [];
  if (returned > 0 && state !== 'cancelled')
    sentences.push(
      kind === 'history'
        ? `${usd(returned)} of ${usd(price)} came back: no more ${governor.many} of ${kingdom.one} ${kingdom_id} are stored.`
        : `${usd(returned)} of ${usd(price)} came back: you pay for each hundred ${governor.many} that you got.`,
    );
  if (returns_at !== null)
    sentences.push(`Repair is free. What is still missing comes back by itself on ${ownTime(returns_at)}.`);
  return sentences.length > 0 ? sentences.join(' ') : null;
}
