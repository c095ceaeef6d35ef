import { Link } from '@tanstack/react-router';
import { GAMES } from '../../../../domain/games/games.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { isMoving, progressOf, refusalOf } from '../../../../domain/orders/order.ts';
import { reasonText } from '../../../../domain/orders/reasons.ts';
import type { OrderItem } from '../../../api/orders.ts';
import { DownloadLinks } from '../../../components/download-links.tsx';
import { KingdomLink } from '../../../components/links.tsx';
import { Preparing } from '../../../components/preparing.tsx';
import { returnText } from '../../../components/returned.ts';
import { counted, percentage, shortened, usd } from '../../../format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { T } from '../../../ui/text.tsx';
import styles from './-item-row.module.css';
import { CancelButton } from './-order-actions.tsx';
import { RepairButton } from './-repair-button.tsx';

/** An item of an order with its price, and its results or progress. */
export function ItemRow({ item }: { item: OrderItem }) {
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <span className={styles.name}>
          {item.has_results ? (
            <KingdomLink game={item.game} id={item.kingdom_id}>
              {placeOf(item)}
            </KingdomLink>
          ) : (
            placeOf(item)
          )}{' '}
          · {words(item.product_name)}
        </span>
        <dl className={styles.details}>
          {detailsOf(item).map(([display, value]) => (
            <div key={display}>
              <dt>{words(display)}</dt> <dd>{shortened(words(String(value)), LONGEST)}</dd>
            </div>
          ))}
        </dl>
      </div>
      <p className={`${styles.price} tabular`}>
        <span className="visually-hidden">{t('Price')} </span>
        {usd(item.price)}
        {item.returned > 0 && (
          <small>
            <T of="{money} returned" money={usd(item.returned)} />
          </small>
        )}
      </p>
      <div className={styles.state}>
        <Outcome item={item} />
      </div>
    </li>
  );
}

/** Maximum length of a detail, in characters. */
const LONGEST = 80;

/** Returns the item's fields except the list of kingdoms, which would repeat in each item of the entry. */
const detailsOf = ({ game, details }: OrderItem) =>
  Object.entries(details).filter(([display]) => display.toLowerCase() !== GAMES[game].kingdom.many);

/** Returns text such as 'Kingdom 1042'. */
const placeOf = ({ game, kingdom_id }: OrderItem): string =>
  t('{game, select, cod {Server} other {Kingdom}} {id}', { game, id: String(kingdom_id) });

const titleOf = (item: OrderItem): string => `${placeOf(item)} · ${words(item.product_name)}`;

function Outcome({ item }: { item: OrderItem }) {
  const returns = returnText(item);
  if (refusalOf('results', item) === null)
    return (
      <>
        <div className={styles.actions}>
          <Link to="/order/$orderId" params={{ orderId: item.item_id }} className={buttonClass()}>
            {t('View Results')}
          </Link>
          <RepairButton id={item.item_id} what={titleOf(item)} refusal={refusalOf('repair', item)} />
          <DownloadLinks id={item.item_id} what={titleOf(item)} />
        </div>
        {item.failed_count > 0 && <p className={styles.partly}>{missingText(item)}</p>}
        {returns && <p className={styles.preparing}>{returns}</p>}
      </>
    );
  if (isMoving(item))
    return (
      <>
        <Progress percent={progressOf(item)} label={titleOf(item)} note={noteOf(item)} />
        <Preparing item={item} className={styles.preparing} />
      </>
    );
  if (item.state === 'cancelled')
    return (
      <p className={styles.partly}>
        <T of="Cancelled. {error}" error={item.error && reasonText(item.error)} />
      </p>
    );
  return (
    <>
      <p className={styles.failed}>
        <strong>{t('Failed.')}</strong> {item.error === null ? t('No rows came back.') : reasonText(item.error)}
      </p>
      <div className={styles.actions}>
        <RepairButton id={item.item_id} what={titleOf(item)} refusal={refusalOf('repair', item)} />
        <CancelButton id={item.item_id} what={titleOf(item)} />
      </div>
      {returns && <p className={styles.preparing}>{returns}</p>}
    </>
  );
}

const missedOf = ({ failed_count, subtask_count }: OrderItem) => ({
  parts: counted(failed_count, 'part'),
  all: String(subtask_count),
});

const missingText = (item: OrderItem): string =>
  item.error
    ? t('{parts} of {all} could not be read: {error}', { ...missedOf(item), error: reasonText(item.error) })
    : t('{parts} of {all} could not be read.', missedOf(item));

/** While the snapshot is written all parts are done, and "100 %" would look stuck. */
const noteOf = (item: OrderItem): string =>
  item.state === 'finishing'
    ? t('Finishing…')
    : item.preparing_until !== null
      ? t('preparing')
      : percentage(progressOf(item));
