import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { Plus } from 'lucide';
import { lazy, Suspense } from 'react';
import { t } from '../../../domain/language/text.ts';
import { formatCents } from '../../../domain/money/money.ts';
import { accountQuery, balanceOf } from '../../api/account.ts';
import { eventListQuery } from '../../api/events.ts';
import { type Monitored, monitoredQuery, movesQuery, newsQuery } from '../../api/monitored.ts';
import { ordersQuery } from '../../api/orders.ts';
import { schedulesQuery } from '../../api/schedules.ts';
import { Loaded, type Loads } from '../../components/loaded.tsx';
import { keyOf } from '../../components/monitored/monitored.ts';
import { NewsArticle } from '../../components/news-article.tsx';
import { Page } from '../../components/page.tsx';
import { Nothing, Panel } from '../../components/panel.tsx';
import { daysLeft, standingCost } from '../../components/standing-costs.ts';
import { counted } from '../../format.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { T } from '../../ui/text.tsx';
import day from './-dashboard/day.module.css';
import { EventsNow } from './-dashboard/events-now.tsx';
import { KingdomCard } from './-dashboard/kingdom-card.tsx';
import { OrdersNow } from './-dashboard/orders-now.tsx';
import { SinceVisit } from './-dashboard/since-visit.tsx';
import { WaitingScans } from './-dashboard/waiting-scans.tsx';
import styles from './dashboard.module.css';

const FollowedNews = lazy(async () => ({ default: (await import('./-dashboard/followed-changes.tsx')).FollowedNews }));

export const Route = createFileRoute('/_signed-in/dashboard')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(monitoredQuery);
    void context.client.prefetchQuery(movesQuery);
    void context.client.prefetchQuery(newsQuery);
    void context.client.prefetchQuery(ordersQuery());
    void context.client.prefetchQuery(eventListQuery);
    void context.client.prefetchQuery(schedulesQuery);
  },
  component: Dashboard,
});

function Dashboard() {
  const { account: known } = Route.useRouteContext();
  const { data } = useQuery(accountQuery);
  const account = data ?? known;
  return (
    <Page
      title={t('Dashboard')}
      about={
        <>
          <T
            of="Welcome back, {strong}! Your balance is {link}."
            strong={<strong className={styles.user}>{account.user}</strong>}
            link={
              <Link to="/account/balance" className="tabular" translate="no">
                {formatCents(balanceOf(account))} USD
              </Link>
            }
          />{' '}
          <Outlook balance={balanceOf(account)} />
        </>
      }
      actions={
        <Link to="/orders/new" className={buttonClass('primary')}>
          <Icon of={Plus} size={16} />
          <T of="New order" />
        </Link>
      }
    >
      <NewcomersSteps />
      <Columns />
    </Page>
  );
}

/** Shown to users without orders and monitored kingdoms, once both have loaded. */
function NewcomersSteps() {
  const orders = useQuery(ordersQuery());
  const monitored = useQuery(monitoredQuery);
  const isNew = orders.data?.orders.length === 0 && monitored.data?.length === 0;
  return isNew && <FirstSteps />;
}

/** How long the balance covers the repeating schedules. */
function Outlook({ balance }: { balance: number }) {
  const schedules = useQuery(schedulesQuery);
  const days = daysLeft(balance, standingCost(schedules.data ?? []));
  if (days === null) return null;
  return (
    <T
      of="It covers <link>your schedules</link> for {days}."
      link={(text) => <Link to="/orders/scheduled">{text}</Link>}
      days={counted(days, 'day')}
    />
  );
}

/**
 * The dashboard's columns: kingdoms and their changes, and everything else. All render together to avoid layout shifts.
 * `isFetched` stays true during refetches, so that a retry after an error does not remove the second column.
 */
function Columns() {
  const monitored = useQuery(monitoredQuery);
  const moves = useQuery(movesQuery);
  const asked = monitored.isFetched && moves.isFetched;
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        {asked ? (
          <>
            {monitored.data?.length !== 0 && (
              <Loaded query={moves} what={t('changes since your last visit')}>
                {(known) => <SinceVisit moves={known} />}
              </Loaded>
            )}
            <MonitoredKingdoms monitored={monitored} />
          </>
        ) : (
          <Skeletons what={t('your kingdoms')} heights={['12rem', '10rem']} />
        )}
      </div>
      {asked && (
        <div className={styles.column}>
          <OrdersNow />
          <Suspense fallback={<Skeletons what={t('changes in your wars')} heights={['10rem']} />}>
            <FollowedNews />
          </Suspense>
          <EventsNow />
          <NewsColumn />
          <WaitingScans />
        </div>
      )}
    </div>
  );
}

function MonitoredKingdoms({ monitored }: { monitored: Loads<Monitored[]> }) {
  return (
    <Panel
      title={t('Monitored Kingdoms')}
      about={monitored.data?.length ? <Link to="/orders/reports">{t('As a table')}</Link> : null}
    >
      <Loaded query={monitored} what={t('your kingdoms')}>
        {(kingdoms) =>
          kingdoms.length === 0 ? (
            <Nothing>
              <T
                of="You are not monitoring a kingdom yet. <link>Order a scan</link>: its kingdom is shown here for 30 days, or for as long as a schedule scans it."
                link={(text) => <Link to="/orders/new">{text}</Link>}
              />
            </Nothing>
          ) : (
            kingdoms.map((kingdom) => <KingdomCard key={keyOf(kingdom)} kingdom={kingdom} />)
          )
        }
      </Loaded>
    </Panel>
  );
}

function NewsColumn() {
  const news = useQuery(newsQuery);
  return (
    <Panel title={t('News')}>
      <Loaded query={news} what={t('the news')} heights={['10rem']}>
        {(published) =>
          published.length === 0 ? (
            <Nothing>{t('There is no news yet.')}</Nothing>
          ) : (
            published.map((news) => <NewsArticle key={news.id} news={news} />)
          )
        }
      </Loaded>
    </Panel>
  );
}

/** First steps for a new user: order a scan, import a file, or look around. */
const FirstSteps = () => (
  <section className={day.steps} aria-label={t('First steps')}>
    <div className={day.step}>
      <h2>{t('Scan your kingdom')}</h2>
      <p>
        {t('Our bots read every governor, usually within 10 minutes. The kingdom then stays on this page for 30 days.')}
      </p>
      <Link to="/orders/new" className={buttonClass('primary')}>
        {t('Order a first scan')}
      </Link>
    </div>
    <div className={day.step}>
      <h2>{t('Already have scans?')}</h2>
      <p>{t('Drop files of RokTracker, Hero Scrolls or your own spreadsheet and compare them. It costs nothing.')}</p>
      <Link to="/scans" className={buttonClass()}>
        {t('Import a file')}
      </Link>
    </div>
    <div className={day.step}>
      <h2>{t('Look around')}</h2>
      <p>{t('Who leads the war, and which kingdoms are the strongest.')}</p>
      <p className={day.ways}>
        <Link to="/maps">{t('Running events')}</Link> <Link to="/leaderboard">{t('Leaderboards')}</Link>
      </p>
    </div>
  </section>
);
