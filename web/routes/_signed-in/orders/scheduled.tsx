import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { Plus } from 'lucide';
import { schedulesQuery } from '../../../api/schedules.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Page } from '../../../components/page.tsx';
import { buttonClass } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { ScheduleCard } from './-schedule-card.tsx';
import styles from './index.module.css';

export const Route = createFileRoute('/_signed-in/orders/scheduled')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(schedulesQuery);
  },
  component: Scheduled,
});

function Scheduled() {
  const schedules = useQuery(schedulesQuery);
  return (
    <Page
      title="Scheduled orders"
      about="Orders that are placed by themselves. Each run is charged when it starts."
      actions={
        <Link to="/orders/new" className={buttonClass('primary')}>
          <Icon of={Plus} size={16} />
          New order
        </Link>
      }
    >
      <Loaded query={schedules} what="scheduled orders" heights={['11rem', '11rem']} className={styles.list}>
        {(listed) =>
          listed.length === 0 ? (
            <div className={styles.empty}>
              <p>You have no scheduled orders. Choose “Later or repeated” when you order a scan.</p>
              <Link to="/orders/new" className={buttonClass()}>
                Schedule a scan
              </Link>
            </div>
          ) : (
            <div className={styles.list}>
              {listed.map((schedule) => (
                <ScheduleCard key={schedule.schedule_id} schedule={schedule} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}
