import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { message, t, words } from '../../../domain/language/text.ts';
import { REPORT_STATES } from '../../../domain/orders/order-states.ts';
import { closeReports, reportsQuery } from '../../api/admin-orders.ts';
import { textOf } from '../../components/entry-page.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Nothing } from '../../components/panel.tsx';
import { oneOf, searchReader, wholeFrom } from '../../search-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import layout from '../../ui/layout.module.css';
import tabs from '../../ui/tabs.module.css';
import { Act } from './-act.tsx';
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

/** Closes all open reports, also those on other pages. Reports that came after the newest one shown stay open. */
const CloseAll = ({ open, newest }: { open: number; newest: number }) => (
  <div className={layout.wrap}>
    <Act
      label={t('Close {open, plural, one {# open report} other {all # open reports}}', { open })}
      about={t('On every page of this list, without an answer. Nobody gets a mail. Later reports stay open.')}
      action={t('Close')}
      act={async (form) =>
        t('Closed: {closed, plural, one {# report} other {# reports}}.', {
          closed: await closeReports(newest, textOf(form, 'reason')),
        })
      }
    />
  </div>
);

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
        {({ reports: listed, open_count, next }) => (
          <div className={layout.stack}>
            {state === 'open' && before === undefined && listed[0] && (
              <CloseAll open={open_count} newest={listed[0].report_id} />
            )}
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
