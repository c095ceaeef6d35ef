import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { message, t } from '../../../../domain/language/text.ts';
import { type Monitored, monitoredQuery } from '../../../api/monitored.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { Changed, KingdomLink, Moved, PowerLine } from '../../../components/monitored/figures.tsx';
import { keyOf, nameOf } from '../../../components/monitored/monitored.ts';
import { Page } from '../../../components/page.tsx';
import { Nothing } from '../../../components/panel.tsx';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';

export const Route = createFileRoute('/_signed-in/orders/reports')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(monitoredQuery);
  },
  component: Reports,
});

const COLUMNS: readonly Column<Monitored>[] = [
  { id: 'kingdom', title: message('Kingdom'), sticky: true, cell: (kingdom) => <KingdomLink kingdom={kingdom} /> },
  {
    id: 'power',
    title: message('Power'),
    figures: true,
    cell: (kingdom) => <Changed now={kingdom.power} by={kingdom.power_change} kingdom={kingdom} />,
  },
  {
    id: 'score',
    title: message('Killpoints / Merits'),
    figures: true,
    cell: (kingdom) => <Changed now={kingdom.score} by={kingdom.score_change} kingdom={kingdom} />,
  },
  { id: 'line', title: message('30 days'), cell: (kingdom) => <PowerLine kingdom={kingdom} /> },
  {
    id: 'joined',
    title: message('Joined'),
    about: message('Governors who joined within the last week'),
    figures: true,
    cell: ({ joined }) => <Moved count={joined} />,
  },
  {
    id: 'left',
    title: message('Left'),
    about: message('Governors who left within the last week'),
    figures: true,
    cell: ({ left }) => <Moved count={left} />,
  },
  {
    id: 'scan',
    title: message('Last scan'),
    cell: ({ last_scan }) => (last_scan === null ? t('none yet') : <Time at={last_scan} />),
  },
  { id: 'results', title: message('Your results'), cell: (kingdom) => <ResultsLink kingdom={kingdom} /> },
  {
    id: 'next',
    title: message('Next run'),
    cell: ({ next_run }) => (next_run === null ? '–' : <Time at={next_run} />),
  },
];

/** The user's own latest scan of the kingdom; the last scan may be another user's. */
function ResultsLink({ kingdom }: { kingdom: Monitored }) {
  if (kingdom.item_id === null) return '–';
  return (
    <Link
      to="/order/$orderId"
      params={{ orderId: kingdom.item_id }}
      aria-label={t('View results of {kingdom}', { kingdom: nameOf(kingdom) })}
    >
      {t('View Results')}
    </Link>
  );
}

function Reports() {
  const monitored = useQuery(monitoredQuery);
  return (
    <Page
      title={t('Reports Page')}
      about={t(
        'Kingdoms with an active schedule, and those you ordered in the last 30 days. Changes are compared to a week before.',
      )}
    >
      <Loaded query={monitored} what={t('your kingdoms')} heights={['14rem']}>
        {(kingdoms) =>
          kingdoms.length === 0 ? (
            <Nothing>
              <T
                of="There are no currently monitored or scanned kingdoms. <link>Order a scan</link> to begin."
                link={(text) => <Link to="/orders/new">{text}</Link>}
              />
            </Nothing>
          ) : (
            <Table label={t('Monitored kingdoms')} columns={COLUMNS} rows={kingdoms} rowId={keyOf} />
          )
        }
      </Loaded>
    </Page>
  );
}
