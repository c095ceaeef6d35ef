import { MAX_KINGDOM } from '../../../../domain/games/game-names.ts';
import { GAMES, type GameId } from '../../../../domain/games/games.ts';
import { listed, t } from '../../../../domain/language/text.ts';
import type { Cents } from '../../../../domain/money/money.ts';
import { subtasksFor } from '../../../../domain/orders/order.ts';
import { MAX_LOOKED_UP } from '../../../../domain/orders/outlook.ts';
import { listOf } from '../../../../domain/orders/pricing.ts';
import type { Outlook } from '../../../api/outlooks.ts';
import { counted, date, exact, money } from '../../../format.ts';

/** Texts about kingdoms before they are ordered. */

/** Returns the valid, distinct kingdom numbers of a field, up to the API's limit; empty if there are none. */
export function lookedUp(value: unknown, kind: keyof typeof MAX_LOOKED_UP): string {
  const numbers = listOf(value).filter((entry) => /^[1-9]\d{0,4}$/.test(entry) && Number(entry) <= MAX_KINGDOM);
  return [...new Set(numbers)].slice(0, MAX_LOOKED_UP[kind]).join(',');
}

const numbers = (outlooks: readonly Outlook[]): string => listed(outlooks.map(({ kingdom_id }) => kingdom_id));

interface OutlookLine {
  outlook: Outlook['outlook'];
  text: string;
}

/** Returns one line per outlook: missing kingdoms, new ones, then known ones. */
export function outlookLines(game: GameId, outlooks: readonly Outlook[]): OutlookLine[] {
  const of = (outlook: Outlook['outlook']) => outlooks.filter((each) => each.outlook === outlook);
  const [missing, fresh, known] = [of('missing'), of('new'), of('known')];
  const lines: OutlookLine[] = [];
  if (missing.length > 0)
    lines.push({
      outlook: 'missing',
      text: t(
        'Our bots recently found nobody in: {missing}. Check the number. If they find nobody again, the price is returned.',
        {
          missing: listed(
            missing.map(({ kingdom_id, missed_at }) =>
              t('{name} ({note})', { name: String(kingdom_id), note: date(missed_at ?? 0) }),
            ),
          ),
        },
      ),
    });
  if (fresh.length > 0)
    lines.push({
      outlook: 'new',
      text: t(
        'New to us: {fresh}. Bots may need a few hours to get into a new {game, select, cod {server} other {kingdom}}.',
        { fresh: numbers(fresh), game },
      ),
    });
  if (known.length > 0) {
    const newest = Math.max(...known.map(({ scanned_at }) => scanned_at ?? 0));
    lines.push({
      outlook: 'known',
      text: t('Known: {known}. Last scanned {newest}.', { known: numbers(known), newest: date(newest) }),
    });
  }
  return lines;
}

/**
 * Describes the stored data of each kingdom's history, and the amount that would be returned at once. `price` is in
 * whole cents per hundred.
 */
export function storedLines(
  game: GameId,
  outlooks: readonly Outlook[],
  { governors, price, chunk }: { governors: number; price: Cents; chunk: number },
): string[] {
  const { governor } = GAMES[game];
  return outlooks.map(({ kingdom_id, stored }) => {
    const { governors: there, days } = stored ?? { governors: 0, days: 0 };
    const ordered = subtasksFor(governors, chunk);
    const back = price * (ordered - subtasksFor(there, chunk));
    const whole = money(price * ordered);
    const place = t('{game, select, cod {Server} other {Kingdom}} {id}', { game, id: String(kingdom_id) });
    if (there === 0) return t('{place}: nothing is stored, so {whole} would be returned.', { place, whole });
    const facts = t('{place}: {stored} stored over {days} of scans.', {
      place,
      stored: counted(there, governor.one, governor.many),
      days: counted(days, 'day'),
    });
    if (back <= 0) return facts;
    const returned = t('{back} of {whole} for {count} is returned at once.', {
      back: money(back),
      whole,
      count: exact(governors),
    });
    return `${facts} ${returned}`;
  });
}
