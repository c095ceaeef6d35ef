import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { GAME_NAMES } from '../../../../domain/games/game-names.ts';
import { t } from '../../../../domain/language/text.ts';
import { deleteReport, type ReportLine, reportsQuery } from '../../../api/compare-reports.ts';
import { Confirmation } from '../../../components/confirmation.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { date } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import { Button } from '../../../ui/button.tsx';
import { T } from '../../../ui/text.tsx';

/** Saved comparisons. */
export function ReportsPanel() {
  const reports = useQuery(reportsQuery);
  const [toDelete, setToDelete] = useState<ReportLine | null>(null);
  const columns: Column<ReportLine>[] = [
    {
      id: 'name',
      title: t('Name'),
      grow: true,
      sticky: true,
      cell: ({ report_id, name }) => (
        <Link to="/compare/$reportId" params={{ reportId: report_id }}>
          {name}
        </Link>
      ),
    },
    { id: 'game', title: t('Game'), cell: ({ game }) => GAME_NAMES[game].name },
    { id: 'saved', title: t('Last saved'), cell: ({ updated_at }) => date(updated_at) },
    {
      id: 'delete',
      title: t('Delete'),
      cell: (report) => (
        <Button onClick={() => setToDelete(report)}>
          <T
            of="Delete<span> the report {name}</span>"
            name={report.name}
            span={(text) => <span className="visually-hidden">{text}</span>}
          />
        </Button>
      ),
    },
  ];
  return (
    <Panel title={t('Reports')} about={t('Comparisons with their weights and goals, to share by a link.')}>
      <Loaded query={reports} what={t('the reports')} heights={['6rem']}>
        {({ reports: all }) =>
          all.length === 0 ? (
            <Nothing>{t('None yet. Compare two scans and save the comparison as a report.')}</Nothing>
          ) : (
            <Table label={t('Reports')} columns={columns} rows={all} rowId={({ report_id }) => report_id} />
          )
        }
      </Loaded>
      {toDelete && <Removal report={toDelete} close={() => setToDelete(null)} />}
    </Panel>
  );
}

function Removal({ report: { report_id, name }, close }: { report: ReportLine; close: () => void }) {
  const client = useQueryClient();
  const removing = useMutation({
    mutationFn: () => deleteReport(report_id),
    onSuccess: () => client.invalidateQueries({ queryKey: reportsQuery.queryKey }),
  });
  return (
    <Confirmation title={t('Delete “{name}”?', { name })} action={t('Delete')} doing={removing} close={close}>
      {t('Its links end with it. The scans stay in your library.')}
    </Confirmation>
  );
}
