import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { t } from '../../../domain/language/text.ts';
import { type Figures, figuresQuery } from '../../api/admin.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Nothing, Panel } from '../../components/panel.tsx';
import { counted } from '../../format.ts';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './home.module.css';

type Need = Figures['needs'][number];

const NEEDS: Record<Need['kind'], { says: (count: number) => string; link: LinkProps }> = {
  reports: {
    says: (count) => t('{reports} without an answer', { reports: counted(count, 'report') }),
    link: { to: '/admin/reports' },
  },
  failed_items: {
    says: (count) => t('{items} failed in the last day', { items: counted(count, 'item') }),
    link: { to: '/admin/orders', search: { state: 'failed' } },
  },
  late_events: {
    says: (count) => t('{events} late', { events: counted(count, 'event') }),
    link: { to: '/admin/events', search: { state: 'late' } },
  },
  failed_mails: {
    says: (count) => t('{mails} given up', { mails: counted(count, 'mail') }),
    link: { to: '/admin/outbox', search: { state: 'given_up' } },
  },
  money: {
    says: (count) => t('{days} on which ledger and Stripe differ', { days: counted(count, 'day') }),
    link: { to: '/admin/payments' },
  },
  disputes: {
    says: (count) => t('{disputes} taken back by banks', { disputes: counted(count, 'payment') }),
    link: { to: '/admin/payments', search: { state: 'taken_back' } },
  },
  jobs: {
    says: (count) => t('{jobs} failing again and again', { jobs: counted(count, 'job') }),
    link: { to: '/admin/setbacks' },
  },
  removals: {
    says: (count) => t('{removals} to decide', { removals: counted(count, 'removal') }),
    link: { to: '/admin/removals' },
  },
  database: {
    says: (percent) => t('The database is {percent} % full', { percent }),
    link: { to: '/admin', hash: 'platform' },
  },
};

/** Work that waits for an admin, each kind with its page. */
export function NeedsPanel() {
  const figures = useQuery(figuresQuery);
  return (
    <Panel title={t('To do')}>
      <Loaded query={figures} what={t('what is to do')} heights={['5rem']}>
        {({ needs }) =>
          needs.length === 0 ? (
            <Nothing>{t('Nothing waits for you.')}</Nothing>
          ) : (
            <ul className={styles.needs}>
              {needs.map(({ kind, count, since }) => (
                <li key={kind}>
                  <Link {...NEEDS[kind].link}>{NEEDS[kind].says(count)}</Link>
                  {since !== null && (
                    <span>
                      <T of="since {time}" time={<Time at={since} />} />
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
