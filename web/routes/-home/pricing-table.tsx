import type { UseQueryResult } from '@tanstack/react-query';
import { Check, Minus } from 'lucide';
import { message, t } from '../../../domain/language/text.ts';
import { PRODUCTS } from '../../../domain/orders/catalogue.ts';
import type { Offer, OfferGroup } from '../../api/products.ts';
import { Failure } from '../../components/failure.tsx';
import { exact, money } from '../../format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './pricing-table.module.css';

/** Product names in the price list (specification, section 3, Pricing items). */
const TITLES: Record<string, string> = {
  'rok-kingdom-scan': message('Rise of Kingdom scans'),
  'cod-server-scan': message('Call of Dragons scans'),
  'rok-history': message('90-Day Historical Data'),
};

/** The public price list. */
export function PricingTable({ products }: { products: UseQueryResult<OfferGroup[]> }) {
  const offers = products.data?.flatMap((group) => group.items);
  const offerOf = (id: string) => offers?.find((offer) => offer.id === id);
  return (
    <>
      {products.isError && <Failure error={products.error} retry={products.refetch} busy={products.isFetching} />}
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('Product')}</th>
            <th scope="col">{t('Ready for Purchase?')}</th>
            <th scope="col" className={styles.cost}>
              {t('Cost')}
            </th>
          </tr>
        </thead>
        <tbody>
          {PRODUCTS.map((product) => (
            <tr key={product.id}>
              <th scope="row">{t(TITLES[product.id] ?? product.name)}</th>
              <td>
                <Ready ready={offerOf(product.id)?.ready} waits={products.isPending} />
              </td>
              <td className={styles.cost}>
                <Cost offer={offerOf(product.id)} waits={products.isPending} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function Cost({ offer, waits }: { offer: Offer | undefined; waits: boolean }) {
  if (!offer) return waits ? <Skeleton width="9rem" /> : '?';
  return t('{price} per {chunk} {game, select, cod {lords} other {governors}}', {
    price: money(offer.price),
    chunk: exact(offer.price_chunk ?? 1),
    game: offer.game,
  });
}

const Ready = ({ ready, waits }: { ready: boolean | undefined; waits: boolean }) => {
  if (ready === undefined) return waits ? <Skeleton width="3rem" /> : '?';
  return ready ? (
    <span className={styles.yes}>
      <Icon of={Check} size={15} /> {t('Yes')}
    </span>
  ) : (
    <span className={styles.no}>
      <Icon of={Minus} size={15} /> {t('Not yet')}
    </span>
  );
};
