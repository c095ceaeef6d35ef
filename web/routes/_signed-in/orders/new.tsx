import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useReducer } from 'react';
import { accountQuery } from '../../../api/account.ts';
import { createOrder } from '../../../api/orders.ts';
import { type OfferGroup, productsQuery } from '../../../api/products.ts';
import { Failure } from '../../../components/failure.tsx';
import { Page } from '../../../components/page.tsx';
import { Accordion } from '../../../ui/accordion.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { type DraftItem, draftReducer } from './-draft.ts';
import { OfferForm } from './-offer-form.tsx';
import { OrderSummary } from './-order-summary.tsx';
import styles from './new.module.css';

export const Route = createFileRoute('/_signed-in/orders/new')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(productsQuery);
  },
  component: NewOrder,
});

const newId = () => crypto.randomUUID();

function NewOrder() {
  const products = useQuery(productsQuery);
  const [draft, change] = useReducer(draftReducer, null, () => ({ items: [], key: newId() }));
  const client = useQueryClient();
  const navigate = Route.useNavigate();
  const submission = useMutation({
    mutationFn: () =>
      createOrder(
        draft.items.map((item) => item.entry),
        draft.key,
      ),
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ['orders'] }),
        client.invalidateQueries({ queryKey: accountQuery.queryKey }),
      ]);
      await navigate({ to: '/orders' });
    },
  });
  const add = (item: DraftItem) => {
    submission.reset();
    change({ type: 'add', item, key: newId() });
  };
  const remove = (id: string) => {
    submission.reset();
    change({ type: 'remove', id, key: newId() });
  };
  return (
    <Page title="New order" about="Choose what to scan. Bots set out as soon as you submit.">
      <div className={styles.columns}>
        {products.data ? (
          <Catalogue groups={products.data} add={add} />
        ) : products.isError ? (
          <Failure error={products.error} retry={products.refetch} busy={products.isFetching} />
        ) : (
          <CatalogueSkeleton />
        )}
        <OrderSummary draft={draft} remove={remove} submission={submission} />
      </div>
    </Page>
  );
}

function Catalogue({ groups, add }: { groups: OfferGroup[]; add: (item: DraftItem) => void }) {
  const open = groups.filter((group) => group.items.some((item) => item.ready)).map((group) => group.name);
  return (
    <Accordion
      level={2}
      open={open}
      sections={groups.map((group) => ({
        id: group.name,
        title: group.name,
        aside: !open.includes(group.name) && <span className={styles.soon}>Not yet for sale</span>,
        content: (
          <Accordion
            level={3}
            open={group.items.length === 1 ? group.items.map((item) => item.id) : []}
            sections={group.items.map((offer) => ({
              id: offer.id,
              title: offer.name,
              content: <OfferForm offer={offer} add={add} />,
            }))}
          />
        ),
      }))}
    />
  );
}

const CatalogueSkeleton = () => (
  <div>
    <Loading what="products" />
    <Skeleton height="34rem" />
  </div>
);
