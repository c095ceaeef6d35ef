import { t } from '../../domain/language/text.ts';
import type { OrderItem } from '../api/orders.ts';
import { ownTime, usd } from '../format.ts';

type Paid = Pick<OrderItem, 'game' | 'kingdom_id' | 'kind' | 'state' | 'price' | 'returned' | 'returns_at'>;

/** Returns what was returned of an item's price and what will be, as sentences; null if the full price was charged. */
export function returnText({ game, kingdom_id, kind, state, price, returned, returns_at }: Paid): string | null {
  if (state === 'failed' && returns_at !== null)
    return t(
      'Repair is free. The price returns to the balance that paid it when you cancel, or automatically on {time}.',
      { time: ownTime(returns_at) },
    );
  const sentences: string[] = [];
  if (returned > 0 && state !== 'cancelled')
    sentences.push(
      kind === 'history'
        ? t(
            '{returned} of {price} was returned: no more {game, select, cod {lords of server} other {governors of kingdom}} {kingdom} are stored.',
            { returned: usd(returned), price: usd(price), game, kingdom: String(kingdom_id) },
          )
        : t(
            '{returned} of {price} was returned: you pay only for each hundred {game, select, cod {lords} other {governors}} delivered.',
            { returned: usd(returned), price: usd(price), game },
          ),
    );
  if (returns_at !== null)
    sentences.push(
      t('Repair is free. The price of what is still missing is returned automatically on {time}.', {
        time: ownTime(returns_at),
      }),
    );
  return sentences.length > 0 ? sentences.join(' ') : null;
}
