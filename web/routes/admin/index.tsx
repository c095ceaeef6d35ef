import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { centsOf } from '../../../domain/money.ts';
import { figuresQuery } from '../../api/admin.ts';
import { Failure } from '../../components/failure.tsx';
import { Facts, Panel } from '../../components/panel.tsx';
import { exact, money } from '../../format.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import styles from './admin.module.css';

export const Route = createFileRoute('/admin/')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(figuresQuery);
  },
  component: Overview,
});

const usd = (dollars: number): string => money(centsOf(dollars) ?? 0);

function Overview() {
  const figures = useQuery(figuresQuery);
  const { data } = figures;
  return (
    <>
      <title>Admin · Muster</title>
      <p className={styles.links}>
        <Link to="/admin/bots" className={buttonClass('primary')}>
          Bots Listing
        </Link>
        <Link to="/admin/orders" className={buttonClass()}>
          Order Listing
        </Link>
      </p>
      <Panel title="Statistics" about="Now, and over the last 24 hours.">
        {figures.isError && <Failure error={figures.error} retry={() => void figures.refetch()} />}
        {figures.isPending && (
          <>
            <Loading what="the figures" />
            <Skeleton height="18rem" />
          </>
        )}
        {data && (
          <Facts
            facts={[
              ['Users', exact(data.users)],
              ['Sum of balances', usd(data.balances)],
              ['Orders of the last day', exact(data.orders_last_day)],
              ['Charged in the last day', usd(data.charged_last_day)],
              ['Subtasks not done yet', exact(data.subtasks_waiting)],
              ['Bots online', exact(data.bots_online)],
              ['Mails waiting', exact(data.mails.waiting)],
              ['Mails given up', exact(data.mails.failed)],
            ]}
          />
        )}
      </Panel>
    </>
  );
}
