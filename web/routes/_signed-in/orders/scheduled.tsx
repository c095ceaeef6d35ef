import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { Plus } from 'lucide';
import { t } from '../../../../domain/language/text.ts';
import { accountQuery, balanceOf } from '../../../api/account.ts';
import { type Schedule, schedulesQuery } from '../../../api/schedules.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Page } from '../../../components/page.tsx';
import { daysLeft, standingCost } from '../../../components/standing-costs.ts';
import { counted, money } from '../../../format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import layout from '../../../ui/layout.module.css';
import { T } from '../../../ui/text.tsx';
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
      title={t('Scheduled orders')}
      about={
        <>
          <T of="Orders that are placed automatically. Each run is charged when it starts." />
          <Carried schedules={schedules.data} />
        </>
      }
      actions={
        <Link to="/orders/new" className={buttonClass('primary')}>
          <Icon of={Plus} size={16} />
          <T of="New order" />
        </Link>
      }
    >
      <Loaded query={schedules} what={t('scheduled orders')} heights={['11rem', '11rem']} className={layout.stack}>
        {(listed) =>
          listed.length === 0 ? (
            <div className={styles.empty}>
              <p>{t('You have no scheduled orders. Choose “Later or repeated” when you order a scan.')}</p>
              <Link to="/orders/new" className={buttonClass()}>
                {t('Schedule a scan')}
              </Link>
            </div>
          ) : (
            <div className={layout.stack}>
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

/** Monthly cost of all schedules, and how long the balance lasts. */
function Carried({ schedules }: { schedules: Schedule[] | undefined }) {
  const { data: account } = useQuery(accountQuery);
  const monthly = standingCost(schedules ?? []);
  const days = account ? daysLeft(balanceOf(account), monthly) : null;
  if (days === null) return null;
  return (
    <T
      of="Together about {monthly} a month, for which <link>your balance</link> lasts {days}."
      monthly={money(monthly)}
      link={(text) => <Link to="/account/balance">{text}</Link>}
      days={counted(days, 'day')}
    />
  );
}
