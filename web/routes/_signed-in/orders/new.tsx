import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { t, words } from '../../../../domain/language/text.ts';
import { centsOf, formatCents } from '../../../../domain/money/money.ts';
import { paymentQuery, refetchMoney } from '../../../api/balance.ts';
import { ApiError } from '../../../api/client.ts';
import { monitoredQuery } from '../../../api/monitored.ts';
import { entriesQuery } from '../../../api/order-actions.ts';
import { createOrder, ordersQuery } from '../../../api/orders.ts';
import { type Offer, type OfferGroup, productsQuery } from '../../../api/products.ts';
import { schedulesQuery } from '../../../api/schedules.ts';
import { teamsQuery } from '../../../api/teams.ts';
import { Failure } from '../../../components/failure.tsx';
import { Page } from '../../../components/page.tsx';
import { useOnward } from '../../../components/use-onward.ts';
import { searchReader, textUpTo, wholeFrom } from '../../../search-params.ts';
import { Accordion } from '../../../ui/accordion.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { T } from '../../../ui/text.tsx';
import { type DraftItem, initialValues, type Values } from './-draft.ts';
import { OfferForm } from './-offer-form.tsx';
import { isPlacing, OrderSummary } from './-order-summary.tsx';
import { scheduleInfoOf } from './-timing.ts';
import { useDraft, type Wish } from './-use-draft.ts';
import styles from './new.module.css';

const newOrderSearch = searchReader({
  from: wholeFrom(1),
  product: textUpTo(100),
  kingdoms: textUpTo(2_000),
  /** Stripe session of the payment that the user returns from. */
  paid: textUpTo(300),
});

export const Route = createFileRoute('/_signed-in/orders/new')({
  validateSearch: newOrderSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(productsQuery);
    // Data for the kingdom picker.
    void context.client.prefetchQuery(monitoredQuery);
    void context.client.prefetchQuery(ordersQuery());
    void context.client.prefetchQuery(teamsQuery);
    if (deps.from !== undefined) void context.client.prefetchQuery(entriesQuery(deps.from));
  },
  component: NewOrder,
});

function NewOrder() {
  const { paid, ...wish } = Route.useSearch();
  const { account } = Route.useRouteContext();
  const products = useQuery(productsQuery);
  const client = useQueryClient();
  const navigate = Route.useNavigate();
  const [wished, setWished] = useState<Wish>({});
  const { draft, change, typed, type, problems, error, retry, finish } = useDraft(
    account.user,
    wish,
    products.data,
    // Remove the wish from the URL, so that a reload does not apply it again.
    () => {
      setWished(wish);
      void navigate({ search: {}, replace: true, resetScroll: false });
    },
  );
  const { data: teams } = useQuery(teamsQuery);
  const [teamId, setTeamId] = useState<string | null>(null);
  // A schedule is paid from the user's own balance.
  const payers = draft.timing.later ? [] : (teams ?? []).filter(({ role }) => role !== 'viewer');
  const payer = payers.find(({ team_id }) => team_id === teamId) ?? null;
  const submission = useMutation({
    mutationFn: () => {
      const scheduleInfo = scheduleInfoOf(draft.timing);
      if (typeof scheduleInfo === 'string') throw new ApiError(scheduleInfo, 400);
      return createOrder(
        draft.items.map((item) => item.entry),
        scheduleInfo,
        payer?.team_id ?? null,
        draft.key,
      );
    },
    onSuccess: async () => {
      finish();
      await Promise.all([
        client.invalidateQueries({ queryKey: ['orders'] }),
        client.invalidateQueries({ queryKey: schedulesQuery.queryKey }),
        client.invalidateQueries({ queryKey: teamsQuery.queryKey }),
        refetchMoney(client),
      ]);
    },
    // The price or the readiness of a product may have changed since the form was opened.
    onError: () => client.invalidateQueries({ queryKey: productsQuery.queryKey }),
  });
  useOnward(submission.isSuccess, () =>
    navigate({ to: submission.data?.schedule_id === null ? '/orders' : '/orders/scheduled' }),
  );
  const offers = useMemo(() => products.data?.flatMap(({ items }) => items) ?? [], [products.data]);
  const changed: typeof change = (action) => {
    submission.reset();
    change(action);
  };
  return (
    <Page title={t('New order')} about={t('Choose what to scan. Scanning starts as soon as you submit.')}>
      {error && <Failure error={error} retry={retry} />}
      {problems.length > 0 && (
        <Notice>
          {wished.from === undefined
            ? t('Not added: {problems}', { problems: problems.join(' ') })
            : t('Not added from order #{order_id}: {problems}', {
                order_id: String(wished.from),
                problems: problems.join(' '),
              })}
        </Notice>
      )}
      {paid !== undefined && <ToppedUp sessionId={paid} />}
      <div className={styles.columns}>
        {products.data ? (
          // Items added during submission would be lost.
          <div inert={isPlacing(submission)}>
            <Catalogue
              groups={products.data}
              wished={wish.product ?? wished.product}
              typed={typed}
              type={type}
              add={(item) => changed({ type: 'add', item })}
            />
          </div>
        ) : products.isError ? (
          <Failure error={products.error} retry={products.refetch} busy={products.isFetching} />
        ) : (
          <CatalogueSkeleton />
        )}
        <OrderSummary
          draft={draft}
          offers={offers}
          remove={(id) => changed({ type: 'remove', id })}
          time={(timing) => changed({ type: 'time', timing })}
          payers={payers}
          payer={payer}
          setPayer={(id) => {
            submission.reset();
            setTeamId(id);
          }}
          submission={submission}
        />
      </div>
    </Page>
  );
}

/** Result of the payment that the user returns from. */
function ToppedUp({ sessionId }: { sessionId: string }) {
  const { data } = useQuery(paymentQuery(sessionId));
  if (data?.state !== 'paid') return null;
  return (
    <Notice>
      <T
        of="Topped up {formatCents} USD. Your order is as you left it: submit it when you are ready."
        formatCents={formatCents(centsOf(data.amount) ?? 0)}
      />
    </Notice>
  );
}

interface CatalogueProps {
  groups: OfferGroup[];
  /** Product opened by a link. */
  wished: string | undefined;
  typed: Record<string, Values>;
  type: (offer: string, values: Values) => void;
  add: (item: DraftItem) => void;
}

function Catalogue({ groups, wished, typed, type, add }: CatalogueProps) {
  const onSale = groups.filter((group) => group.items.some((item) => item.ready)).map((group) => group.name);
  const holdsWish = groups.filter(({ items }) => items.some(({ id }) => id === wished)).map(({ name }) => name);
  const begun = ({ id, fields }: Offer): boolean => fields.some(({ name }) => typed[id]?.[name]);
  return (
    <Accordion
      key={wished}
      level={2}
      open={[...onSale, ...holdsWish]}
      sections={groups.map((group) => ({
        id: group.name,
        title: words(group.name),
        aside: !onSale.includes(group.name) && <span className={styles.soon}>{t('Not yet for sale')}</span>,
        content: (
          <Accordion
            level={3}
            open={group.items.filter((item) => group.items.length === 1 || begun(item)).map((item) => item.id)}
            sections={group.items.map((offer) => ({
              id: offer.id,
              title: words(offer.name),
              content: (
                <OfferForm
                  offer={offer}
                  values={typed[offer.id] ?? initialValues(offer)}
                  setValues={(values) => type(offer.id, values)}
                  add={add}
                />
              ),
            }))}
          />
        ),
      }))}
    />
  );
}

const CatalogueSkeleton = () => (
  <div>
    <Loading what={t('products')} />
    <Skeleton height="34rem" />
  </div>
);
