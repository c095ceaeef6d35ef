import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PRODUCTS } from '../../domain/orders/catalogue.ts';
import { productsQuery } from '../api/products.ts';
import { exact, money } from '../format.ts';

/** What each product costs and whether it is on sale, from the catalogue as it is sold today. */
export function PriceAnswer() {
  const offers = useQuery(productsQuery).data?.flatMap((group) => group.items);
  const isSold = (id: string) => offers?.find((offer) => offer.id === id)?.ready;
  return (
    <>
      {PRODUCTS.map(({ id, name, price, price_chunk, governors }) => (
        <span key={id}>
          {name}: {money(price)} per {exact(price_chunk ?? 1)} {governors}, rounded up to the next hundred, for each
          kingdom{isSold(id) === false && ' (not on sale yet)'}.{' '}
        </span>
      ))}
      The <Link to="/register">account</Link> itself costs nothing.
    </>
  );
}
