import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { labelled, message, t, words } from '../../../domain/language/text.ts';
import type { Cents } from '../../../domain/money/money.ts';
import { centsIn } from '../../../domain/money/typed-cents.ts';
import {
  type AdminProduct,
  adminProductsQuery,
  type Products,
  setPrice,
  setReadiness,
} from '../../api/admin-products.ts';
import { fieldError } from '../../api/client.ts';
import { textOf } from '../../components/entry-page.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Panel } from '../../components/panel.tsx';
import { date, exact, usd } from '../../format.ts';
import type { Column } from '../../table/column.ts';
import { Table } from '../../table/table.tsx';
import { TextField } from '../../ui/field.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Act, saidIn } from './-act.tsx';

export const Route = createFileRoute('/admin/products')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(adminProductsQuery);
  },
  component: ProductsDesk,
});

/** A row of the price table. `from` is null for the first price. */
interface PriceRow {
  product: AdminProduct;
  from: string | null;
  price: number;
  state: 'past' | 'now' | 'planned';
}

/** Returns the prices of a product, newest first. */
function pricesOf(product: AdminProduct, today: string): PriceRow[] {
  const rows = [{ from: null, price: product.first_price }, ...product.prices];
  const current = rows.findLastIndex(({ from }) => from === null || from <= today);
  return rows
    .map((row, index) => ({
      ...{ ...row, product },
      state: index === current ? ('now' as const) : index < current ? ('past' as const) : ('planned' as const),
    }))
    .reverse();
}

const STATES: Record<PriceRow['state'], string> = {
  past: message('over'),
  now: message('holds today'),
  planned: message('planned'),
};

const COLUMNS: readonly Column<PriceRow>[] = [
  {
    id: 'from',
    title: message('From'),
    cell: ({ from }) => (from === null ? t('the beginning') : date(from)),
  },
  { id: 'price', title: message('Price'), figures: true, cell: ({ price }) => usd(price) },
  { id: 'state', title: message('State'), grow: true, cell: ({ state }) => words(STATES[state]) },
  {
    id: 'acts',
    title: '',
    cell: ({ product, from, state }) =>
      from !== null && state === 'planned' && <Remove product={product} from={from} />,
  },
];

function Remove({ product, from }: { product: AdminProduct; from: string }) {
  return (
    <Act
      label={t('Remove')}
      title={t('Remove the price from {day}', { day: date(from) })}
      about={t('The price before it goes on.')}
      proof
      act={async (form) => {
        await setPrice(product.id, { from, price: null, version: product.version, ...saidIn(form) });
        return null;
      }}
    />
  );
}

/** @throws ApiError if it is not an amount. */
function priceIn(form: FormData): Cents {
  const cents = centsIn(textOf(form, 'price'));
  if (cents === null) throw fieldError('price', message('must be dollars, such as 0.60.'));
  return cents;
}

function Price({ product, today }: { product: AdminProduct; today: string }) {
  return (
    <Act
      label={t('Set a price')}
      title={t('Set a price: {name}', { name: words(product.name) })}
      about={t(
        'Orders and runs of schedules pay it from that day on, in UTC. Orders that were placed before keep their price. It replaces another price of the same day.',
      )}
      action={t('Set the price')}
      proof
      act={async (form) => {
        await setPrice(product.id, {
          from: textOf(form, 'from'),
          price: priceIn(form),
          version: product.version,
          ...saidIn(form),
        });
        return t('The price is set. Pages follow within three minutes.');
      }}
    >
      <TextField label={t('From')} name="from" type="date" required min={today} defaultValue={today} />
      <TextField
        label={
          product.price_chunk === null
            ? t('Price in USD')
            : t('Price in USD per {chunk}', { chunk: exact(product.price_chunk) })
        }
        name="price"
        inputMode="decimal"
        autoComplete="off"
        required
        defaultValue={product.price.toFixed(2)}
      />
    </Act>
  );
}

function Readiness({ product }: { product: AdminProduct }) {
  const { id, version, ready } = product;
  const name = words(product.name);
  return ready ? (
    <Act
      label={t('Pause')}
      title={t('Pause: {name}', { name })}
      about={t('Nobody can order it, and runs of schedules are missed. Orders that were placed go on.')}
      act={async (form) => {
        await setReadiness(id, {
          readiness: 'paused',
          sentence: textOf(form, 'sentence'),
          version,
          reason: textOf(form, 'reason'),
        });
        return null;
      }}
    >
      <TextField
        label={t('Sentence for customers')}
        name="sentence"
        autoComplete="off"
        required
        minLength={5}
        maxLength={200}
        help={t('The order form shows it, and refused orders get it.')}
      />
    </Act>
  ) : (
    <Act
      label={t('Make available')}
      title={t('Make available: {name}', { name })}
      about={t('Customers can order it at once, and schedules run again.')}
      act={async (form) => {
        await setReadiness(id, { readiness: 'available', sentence: '', version, reason: textOf(form, 'reason') });
        return null;
      }}
    />
  );
}

function stateOf({ ready, ready_from, readiness }: AdminProduct): string {
  if (ready) return t('Can be ordered.');
  if (readiness === 'paused') return t('Paused.');
  return ready_from === null ? t('Not on sale yet.') : t('On sale from {day}.', { day: date(ready_from) });
}

const Product = ({ product, today }: { product: AdminProduct; today: string }) => (
  <Panel
    title={labelled(words(product.group), words(product.name))}
    about={t('{state} {price} today.', { state: stateOf(product), price: usd(product.price) })}
  >
    {product.sentence && <Notice>{product.sentence}</Notice>}
    <div className={layout.wrap}>
      <Price product={product} today={today} />
      <Readiness product={product} />
    </div>
    <Table
      label={t('Prices of {name}', { name: words(product.name) })}
      columns={COLUMNS}
      rows={pricesOf(product, today)}
      rowId={({ from }) => from ?? ''}
    />
  </Panel>
);

function ProductsDesk() {
  const products = useQuery(adminProductsQuery);
  return (
    <>
      <title>{t('Products · Muster')}</title>
      <Loaded query={products} what={t('the products')} heights={['14rem', '14rem', '14rem']}>
        {(all: Products) =>
          all.products.map((product) => <Product key={product.id} product={product} today={all.today} />)
        }
      </Loaded>
    </>
  );
}
