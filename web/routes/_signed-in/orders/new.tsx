import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { accountQuery } from '../../../api/account.ts';
import { ApiError } from '../../../api/client.ts';
import { entriesQuery } from '../../../api/order-actions.ts';
import { createOrder } from '../../../api/orders.ts';
import { type OfferGroup, productsQuery } from '../../../api/products.ts';
import { schedulesQuery } from '../../../api/schedules.ts';
import { Failure } from '../../../components/failure.tsx';
import { Page } from '../../../components/page.tsx';
import { Accordion } from '../../../ui/accordion.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { type DraftItem, draftReducer, reorderedItem } from './-draft.ts';
import { OfferForm } from './-offer-form.tsx';
import { OrderSummary } from './-order-summary.tsx';
import { AT_ONCE, scheduleInfoOf, type Timing } from './-timing.ts';
import styles from './new.module.css';

export interface NewOrderSearch {
  /** Fills the order with what this one held. */
  from?: number;
}

export const Route = createFileRoute('/_signed-in/orders/new')({
  validateSearch: ({ from }: Record<string, unknown>): NewOrderSearch => ({
    from: Number.isSafeInteger(from) && Number(from) > 0 ? Number(from) : undefined,
  }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(productsQuery);
    if (deps.from !== undefined) void context.client.prefetchQuery(entriesQuery(deps.from));
  },
  component: NewOrder,
});

const newId = () => crypto.randomUUID();

function NewOrder() {
  const { from } = Route.useSearch();
  const products = useQuery(productsQuery);
  const [draft, change] = useReducer(draftReducer, null, () => ({ items: [], timing: AT_ONCE, key: newId() }));
  const client = useQueryClient();
  const navigate = Route.useNavigate();
  const submission = useMutation({
    mutationFn: () => {
      const scheduleInfo = scheduleInfoOf(draft.timing);
      if (typeof scheduleInfo === 'string') throw new ApiError(scheduleInfo, 400);
      return createOrder(
        draft.items.map((item) => item.entry),
        scheduleInfo,
        draft.key,
      );
    },
    onSuccess: async ({ schedule_id }) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ['orders'] }),
        client.invalidateQueries({ queryKey: schedulesQuery.queryKey }),
        client.invalidateQueries({ queryKey: accountQuery.queryKey }),
      ]);
      await navigate({ to: schedule_id === null ? '/orders' : '/orders/scheduled' });
    },
  });
  const offers = useMemo(() => products.data?.flatMap(({ items }) => items) ?? [], [products.data]);
  const reorder = useReorder(from, products.data, (items) => change({ type: 'fill', items, key: newId() }));
  const add = (item: DraftItem) => {
    submission.reset();
    change({ type: 'add', item, key: newId() });
  };
  const remove = (id: string) => {
    submission.reset();
    change({ type: 'remove', id, key: newId() });
  };
  const time = (timing: Timing) => {
    submission.reset();
    change({ type: 'time', timing, key: newId() });
  };
  return (
    <Page title="New order" about="Choose what to scan. Bots set out as soon as you submit.">
      {reorder.error && <Failure error={reorder.error} retry={reorder.retry} />}
      {reorder.problems.length > 0 && (
        <Notice>
          Not taken over from order #{from}: {reorder.problems.join(' ')}
        </Notice>
      )}
      <div className={styles.columns}>
        {products.data ? (
          <Catalogue groups={products.data} add={add} />
        ) : products.isError ? (
          <Failure error={products.error} retry={products.refetch} busy={products.isFetching} />
        ) : (
          <CatalogueSkeleton />
        )}
        <OrderSummary draft={draft} offers={offers} remove={remove} time={time} submission={submission} />
      </div>
    </Page>
  );
}

/** Fills the draft once with the entries of an earlier order; tells what of it cannot be ordered any more. */
function useReorder(from: number | undefined, groups: OfferGroup[] | undefined, fill: (items: DraftItem[]) => void) {
  const entries = useQuery({ ...entriesQuery(from ?? 0), enabled: from !== undefined });
  const [problems, setProblems] = useState<string[]>([]);
  const filled = useRef<number>(undefined);
  useEffect(() => {
    if (from === undefined || filled.current === from || !groups || !entries.data) return;
    filled.current = from;
    const offers = groups.flatMap(({ items }) => items);
    const taken = entries.data.map((entry) => reorderedItem(offers, entry, newId()));
    fill(taken.filter((item) => typeof item !== 'string'));
    setProblems(taken.filter((item) => typeof item === 'string'));
  });
  return { problems, error: entries.error, retry: () => void entries.refetch() };
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
