import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { message, t, words } from '../../../../domain/language/text.ts';
import type { OrdersAct } from '../../../../domain/orders/admin-contract.ts';
import { type AdminOrdersFilter, actOnMatching, matchingQuery } from '../../../api/admin-orders.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { exact, usd } from '../../../format.ts';
import layout from '../../../ui/layout.module.css';
import { Act, saidIn } from '../-act.tsx';

const WORDS: Record<OrdersAct, { label: string; about: string }> = {
  retry: {
    label: message('Retry all that match'),
    about: message(
      '{orders, plural, one {# order} other {# orders}} with {items, plural, one {# item} other {# items}} that bots work on: their unread parts go back into the queue, for any bot.',
    ),
  },
  cancel: {
    label: message('Cancel all that match'),
    about: message(
      '{orders, plural, one {# order} other {# orders}} with {items, plural, one {# item} other {# items}} without results: the bots stop, and {price} returns to the balances that paid. This cannot be undone.',
    ),
  },
};

/** What an act will change, counted when its form opens. */
function Matching({ act, filter }: { act: OrdersAct; filter: AdminOrdersFilter }) {
  const matching = useQuery({ ...matchingQuery(act, filter), refetchOnMount: 'always' });
  return (
    <Loaded query={matching} what={t('the orders')} heights={['4rem']}>
      {({ orders, items, price }) => <p>{t(WORDS[act].about, { orders, items, price: usd(price) })}</p>}
    </Loaded>
  );
}

/** Acts on all orders of the list's filter, on every page. */
export const MatchingActs = ({ filter }: { filter: AdminOrdersFilter }) => (
  <div className={layout.wrap}>
    {(Object.keys(WORDS) as OrdersAct[]).map((act) => (
      <MatchingAct key={act} act={act} filter={filter} />
    ))}
  </div>
);

function MatchingAct({ act, filter }: { act: OrdersAct; filter: AdminOrdersFilter }) {
  const client = useQueryClient();
  const [progress, setProgress] = useState('');
  return (
    <Act
      label={words(WORDS[act].label)}
      about={<Matching act={act} filter={filter} />}
      progress={progress}
      proof={act === 'cancel'}
      act={async (form, round) => {
        const { newest, orders: all } = await client.ensureQueryData(matchingQuery(act, filter));
        if (newest === null) return t('No order of this filter allows it.');
        const tell = (done: number) =>
          setProgress(t('{done} of {orders} done.', { done: exact(done), orders: exact(all) }));
        try {
          const { orders, items } = await actOnMatching(act, filter, newest, { round, ...saidIn(form) }, tell);
          return t(
            'Done: {orders, plural, one {# order} other {# orders}}, {items, plural, one {# item} other {# items}}.',
            { orders, items },
          );
        } finally {
          setProgress('');
        }
      }}
    />
  );
}
