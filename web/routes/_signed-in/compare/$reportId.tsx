import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { messageOf } from '../../../api/client.ts';
import {
  deleteReport,
  endReportLink,
  openReportLink,
  type ReportDetails,
  reportQuery,
} from '../../../api/compare-reports.ts';
import { Confirmation } from '../../../components/confirmation.tsx';
import { goalsText, zeroedText } from '../../../components/difference/lines.ts';
import { writtenWeights } from '../../../components/difference/written-weights.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { FormCard } from '../../../components/form-card.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Page } from '../../../components/page.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { date, dateTime } from '../../../format.ts';
import { PageTable } from '../../../table/page-table.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
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
    <Page title={report.data?.report.name ?? 'Report'}>
      <Loaded query={report} what="the report" heights={['12rem']}>
        {(details) => <Report details={details} />}
      </Loaded>
    </Page>
  );
}

/** The comparison that a report keeps, as an address. */
function searchOf({ ranges, settings }: ReportDetails['report']): CompareSearch {
  const [range] = ranges;
  return {
    from: range?.from.join(),
    to: range?.to.join(),
    weights: writtenWeights(settings.weights, {}),
    goals: goalsText(settings.goals) || undefined,
    zeroed: zeroedText(settings.zeroed) || undefined,
    farms: settings.farms ?? undefined,
    off: settings.power_off || undefined,
  };
}

function Report({ details: { report, links } }: { details: ReportDetails }) {
  const [dooming, setDooming] = useState(false);
  const client = useQueryClient();
  const navigate = Route.useNavigate();
  const removing = useMutation({
    mutationFn: () => deleteReport(report.report_id),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['compare-reports'] });
      await navigate({ to: '/scans' });
    },
  });
  return (
    <>
      <p>
        Saved {dateTime(report.created_at)}
        {report.settings.note && ` · ${report.settings.note}`}
      </p>
      <p>
        <Link to="/compare" search={searchOf(report)} className={buttonClass('primary')}>
          Open the comparison
        </Link>{' '}
        <Button onClick={() => setDooming(true)}>Delete the report…</Button>
      </p>
      <Links id={report.report_id} links={links} />
      {dooming && (
        <Confirmation
          title={`Delete ‘${report.name}’?`}
          action="Delete"
          doing={removing}
          close={() => setDooming(false)}
        >
          Its links end with it. The scans stay in your library.
        </Confirmation>
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
    <Panel title="Links" about="Whoever has one sees the chosen columns, without an account.">
      {links.length === 0 ? (
        <Nothing>Nobody else sees this report.</Nothing>
      ) : (
        <PageTable
          label="Links"
          columns={[
            { id: 'path', title: 'Address', grow: true, cell: ({ path }) => `${location.origin}${path}` },
            { id: 'ends', title: 'Ends', cell: ({ expires_at }) => date(expires_at) },
            {
              id: 'copy',
              title: '',
              cell: ({ path }) => <CopyButton text={`${location.origin}${path}`} what="the link" />,
            },
            {
              id: 'end',
              title: '',
              cell: ({ link_id }) => (
                <Button busy={ending.isPending && ending.variables === link_id} onClick={() => ending.mutate(link_id)}>
                  End it now
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
        title="New link"
        action="Make a link"
        sending={opening}
        done={opening.data && <>The link: {`${location.origin}${opening.data.path}`}</>}
        onSubmit={opening.mutate}
      >
        <TextField label="Days" name="days" type="number" min={1} max={365} defaultValue={30} required />
      </FormCard>
    </Panel>
  );
}
