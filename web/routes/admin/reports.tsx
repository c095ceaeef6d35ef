import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { message, t, words } from '../../../domain/language/text.ts';
import { REPORT_STATES } from '../../../domain/orders/admin-words.ts';
import { reportsQuery } from '../../api/admin-orders.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Nothing } from '../../components/panel.tsx';
import { oneOf, searchReader, wholeFrom } from '../../search-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import layout from '../../ui/layout.module.css';
import tabs from '../../ui/tabs.module.css';
import { ReportCard } from './-report-card.tsx';

const reportsSearch = searchReader({ state: oneOf(REPORT_STATES), before: wholeFrom(1) });

export const Route = createFileRoute('/admin/reports')({
  validateSearch: reportsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(reportsQuery(deps.state ?? 'open', deps.before));
  },
  component: Reports,
});

const TITLES = {
  open: message('Open'),
  answered: message('Answered'),
  closed: message('Closed'),
} as const;
const EMPTY = {
  open: message('No report waits for an answer.'),
  answered: message('No report was answered yet.'),
  closed: message('No report was closed without an answer.'),
} as const;

function Reports() {
  const { state = 'open', before } = Route.useSearch();
  const reports = useQuery(reportsQuery(state, before));
  return (
    <>
      <title>{t('Reported issues · Muster')}</title>
      <nav className={tabs.tabs} aria-label={t('States of reports')}>
        {REPORT_STATES.map((each) => (
          <Link
            key={each}
            to="/admin/reports"
            search={each === 'open' ? {} : { state: each }}
            className={tabs.tab}
            data-on={each === state || undefined}
            aria-current={each === state ? 'page' : undefined}
          >
            {words(TITLES[each])}
          </Link>
        ))}
      </nav>
      <Loaded query={reports} what={t('the reports')} heights={['16rem']}>
        {({ reports: listed, next }) => (
          <div className={layout.stack}>
            {listed.length === 0 && (
              <Nothing>{before ? t('There are no older reports.') : words(EMPTY[state])}</Nothing>
            )}
            {listed.map((report) => (
              <ReportCard key={report.report_id} report={report} />
            ))}
            {next && (
              <Link to="/admin/reports" search={{ state, before: next }} className={buttonClass()}>
                {t('Older reports')}
              </Link>
            )}
          </div>
        )}
      </Loaded>
    </>
  );
}
