import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type Figures, figuresQuery } from '../../api/admin.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Nothing, Panel } from '../../components/panel.tsx';
import { counted } from '../../format.ts';
import { Time } from '../../ui/time.tsx';
import styles from './home.module.css';

type Need = Figures['needs'][number];

const NEEDS: Record<Need['kind'], { says: (count: number) => string; link: LinkProps }> = {
  reports: { says: (count) => `${counted(count, 'report')} without an answer`, link: { to: '/admin/reports' } },
  failed_items: {
    says: (count) => `${counted(count, 'item')} failed in the last day`,
    link: { to: '/admin/orders', search: { state: 'failed' } },
  },
  late_events: {
    says: (count) => `${counted(count, 'event')} late`,
    link: { to: '/admin/events', search: { state: 'late' } },
  },
  failed_mails: {
    says: (count) => `${counted(count, 'mail')} given up`,
    link: { to: '/admin/outbox', search: { state: 'given_up' } },
  },
  money: {
    says: (count) => `${counted(count, 'day')} on which ledger and Stripe differ`,
    link: { to: '/admin/payments' },
  },
  jobs: { says: (count) => `${counted(count, 'job')} failing again and again`, link: { to: '/admin/setbacks' } },
  removals: { says: (count) => `${counted(count, 'removal')} to decide`, link: { to: '/admin/removals' } },
  database: { says: (percent) => `The database is ${percent} % full`, link: { to: '/admin', hash: 'platform' } },
};

/** What waits for a person, each with the page where it is done. */
export function NeedsPanel() {
  const figures = useQuery(figuresQuery);
  return (
    <Panel title="To do">
      <Loaded query={figures} what="what is to do" heights={['5rem']}>
        {({ needs }) =>
          needs.length === 0 ? (
            <Nothing>Nothing waits for you.</Nothing>
          ) : (
            <ul className={styles.needs}>
              {needs.map(({ kind, count, since }) => (
                <li key={kind}>
                  <Link {...NEEDS[kind].link}>{NEEDS[kind].says(count)}</Link>
                  {since !== null && (
                    <span>
                      since <Time at={since} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
