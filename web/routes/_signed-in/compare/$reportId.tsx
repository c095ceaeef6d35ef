import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { goalsText, zeroedText } from '../../../../domain/difference/lines.ts';
import { verifiedText } from '../../../../domain/difference/verified.ts';
import { t } from '../../../../domain/language/text.ts';
import { messageOf } from '../../../api/client.ts';
import { type Fight, fightsQuery } from '../../../api/compare.ts';
import {
  deleteReport,
  endReportLink,
  openReportLink,
  type ReportDetails,
  reportQuery,
} from '../../../api/compare-reports.ts';
import { Confirmation } from '../../../components/confirmation.tsx';
import { writtenWeights } from '../../../components/difference/written-weights.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { FormCard } from '../../../components/form-card.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Page } from '../../../components/page.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { useOnward } from '../../../components/use-onward.ts';
import { counted, date } from '../../../format.ts';
import { Table } from '../../../table/table.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import type { CompareSearch } from './-compare-search.ts';

export const Route = createFileRoute('/_signed-in/compare/$reportId')({
  loader: ({ context, params }) => {
    void context.client.prefetchQuery(reportQuery(params.reportId));
  },
  component: ReportPage,
});

function ReportPage() {
  const { reportId } = Route.useParams();
  const report = useQuery(reportQuery(reportId));
  return (
    <Page title={report.data?.report.name ?? t('Report')}>
      <Loaded query={report} what={t('the report')} heights={['12rem']}>
        {(details) => <Report details={details} />}
      </Loaded>
    </Page>
  );
}

type Ranges = ReportDetails['report']['ranges'];

/** Returns the fights that match a report's ranges, in order; undefined in place of a deleted one. */
function fightsOf(ranges: Ranges, fights: readonly Fight[]): (Fight | undefined)[] {
  const same = (ids: readonly string[], scans: Fight['from']) =>
    ids.toSorted().join() ===
    scans
      .map(({ scan_id }) => scan_id)
      .sort()
      .join();
  return ranges.map(({ from, to }) => fights.find((fight) => same(from, fight.from) && same(to, fight.to)));
}

const searchOfRange = ({ from, to }: Ranges[number]): CompareSearch => ({ from: from.join(), to: to.join() });

/** Returns the URL search of a report's comparison; undefined if it adds up a deleted fight. */
function searchOf(ranges: Ranges, fights: readonly (Fight | undefined)[]): CompareSearch | undefined {
  if (ranges.length < 2) return ranges.map(searchOfRange)[0];
  return fights.every((fight) => fight) ? { fights: fights.map((fight) => fight?.fight_id).join() } : undefined;
}

/** Returns a report's settings as a URL search. */
function searchOfSettings({ settings }: ReportDetails['report']): CompareSearch {
  return {
    weights: writtenWeights(settings.weights, {}),
    goals: goalsText(settings.goals) || undefined,
    zeroed: zeroedText(settings.zeroed) || undefined,
    verified: verifiedText(settings.verified) || undefined,
    farms: settings.farms ?? undefined,
    off: settings.power_off || undefined,
  };
}

function Report({ details: { report, links } }: { details: ReportDetails }) {
  const [deleting, setDeleting] = useState(false);
  const client = useQueryClient();
  const navigate = Route.useNavigate();
  const removing = useMutation({
    mutationFn: () => deleteReport(report.report_id),
    // Not refetched while this page is still shown, because the report no longer exists.
    onSuccess: () => client.invalidateQueries({ queryKey: ['compare-reports'], refetchType: 'none' }),
  });
  useOnward(removing.isSuccess, () => navigate({ to: '/scans' }));
  return (
    <>
      <p>
        <T
          of="Saved {time}{value}"
          time={<Time at={report.created_at} />}
          value={report.settings.note && ` · ${report.settings.note}`}
        />
      </p>
      <OpenComparison report={report}>
        <Button onClick={() => setDeleting(true)}>{t('Delete the report…')}</Button>
      </OpenComparison>
      <Links id={report.report_id} links={links} />
      {deleting && (
        <Confirmation
          title={t('Delete “{name}”?', { name: report.name })}
          action={t('Delete')}
          doing={removing}
          close={() => setDeleting(false)}
        >
          {t('Its links end with it. The scans stay in your library.')}
        </Confirmation>
      )}
    </>
  );
}

/** Links to the comparison, if it can still be opened, and to each fight of it. Fights that overlap open only alone. */
function OpenComparison({ report, children }: { report: ReportDetails['report']; children: ReactNode }) {
  const { ranges } = report;
  const several = ranges.length > 1;
  const { data } = useQuery({ ...fightsQuery, enabled: several });
  if (several && !data) return <p>{children}</p>;
  const fights = data ? fightsOf(ranges, data.fights) : [];
  const search = searchOf(ranges, fights);
  const settings = searchOfSettings(report);
  return (
    <>
      <p>
        {search ? (
          <Link to="/compare" search={{ ...search, ...settings }} className={buttonClass('primary')}>
            {t('Open the comparison')}
          </Link>
        ) : (
          <T
            of="It adds up {length}, one of which was deleted. It can now be viewed only by its links."
            length={counted(ranges.length, 'fight')}
          />
        )}{' '}
        {children}
      </p>
      {several && (
        <ul aria-label={t('Fights')}>
          {ranges.map((range, index) => (
            <li key={JSON.stringify(range)}>
              <Link to="/compare" search={{ ...searchOfRange(range), ...settings }}>
                {fights[index]?.name ?? `${t('Fight')} ${index + 1}`}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Links({ id, links }: { id: string; links: ReportDetails['links'] }) {
  const client = useQueryClient();
  const changed = () => client.invalidateQueries({ queryKey: reportQuery(id).queryKey });
  const opening = useMutation({
    mutationFn: (form: FormData) => openReportLink(id, Number(textOf(form, 'days'))),
    onSuccess: changed,
  });
  const ending = useMutation({ mutationFn: (link: string) => endReportLink(id, link), onSuccess: changed });
  return (
    <Panel title={t('Links')} about={t('Anyone with a link can see the chosen columns without an account.')}>
      {links.length === 0 ? (
        <Nothing>{t('Nobody else sees this report.')}</Nothing>
      ) : (
        <Table
          label={t('Links')}
          columns={[
            {
              id: 'path',
              title: t('Address'),
              grow: true,
              wraps: true,
              cell: ({ short }) => `${location.origin}${short}`,
            },
            {
              id: 'copy',
              title: t('Copy'),
              cell: ({ short }) => <CopyButton text={`${location.origin}${short}`} what={t('the link')} />,
            },
            { id: 'ends', title: t('Ends'), cell: ({ expires_at }) => date(expires_at) },
            {
              id: 'end',
              title: t('End'),
              cell: ({ link_id }) => (
                <Button busy={ending.isPending && ending.variables === link_id} onClick={() => ending.mutate(link_id)}>
                  {t('End now')}
                </Button>
              ),
            },
          ]}
          rows={links}
          rowId={({ link_id }) => link_id}
        />
      )}
      {ending.error && <Notice tone="danger">{messageOf(ending.error)}</Notice>}
      <FormCard
        title={t('New link')}
        action={t('Make a link')}
        sending={opening}
        done={opening.data && <T of="The link: {value}" value={`${location.origin}${opening.data.short}`} />}
        onSubmit={opening.mutate}
      >
        <TextField label={t('Days')} name="days" type="number" min={1} max={365} defaultValue={30} required />
      </FormCard>
    </Panel>
  );
}
