import { useQuery } from '@tanstack/react-query';
import { t } from '../../../../domain/language/text.ts';
import { numberOf, type Params } from '../../../../domain/orders/pricing.ts';
import { outlooksQuery } from '../../../api/outlooks.ts';
import type { Offer } from '../../../api/products.ts';
import { useDebounced } from '../../../ui/use-debounced.ts';
import { lookedUp, outlookLines, storedLines } from './-outlook.ts';
import styles from './-outlook-notes.module.css';

/** Notes on the entered kingdoms, and for histories on the stored data. Renders nothing while unknown. */
export function OutlookNotes({ offer, params }: { offer: Offer; params: Params }) {
  const { kind, game, id, price, price_chunk } = offer;
  const kingdoms = useDebounced(lookedUp(params[offer.kingdoms], kind), 400);
  const { data, isPending } = useQuery({ ...outlooksQuery(id, kingdoms), enabled: kingdoms !== '' });
  const governors = numberOf(params[offer.governors]) ?? 0;
  const stored =
    kind === 'history' && data ? storedLines(game, data, { governors, price, chunk: price_chunk ?? 100 }) : [];
  const shown = kingdoms === '' ? [] : outlookLines(game, data ?? []);
  return (
    <ul
      className={styles.notes}
      aria-live="polite"
      aria-label={t('What we know of them')}
      aria-busy={kingdoms !== '' && isPending}
    >
      {shown.map(({ outlook, text }) => (
        <li key={outlook} data-outlook={outlook}>
          {text}
        </li>
      ))}
      {kingdoms !== '' && stored.map((text) => <li key={text}>{text}</li>)}
    </ul>
  );
}
