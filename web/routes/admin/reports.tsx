import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { answerReport, type Report, reportsQuery } from '../../api/support.ts';
import { textOf } from '../../components/entry-page.tsx';
import { Card, FormCard } from '../../components/form-card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Nothing } from '../../components/panel.tsx';
import { flag, searchReader } from '../../search-params.ts';
import { buttonClass } from '../../ui/button.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import layout from '../../ui/layout.module.css';
import { Time } from '../../ui/time.tsx';
import styles from './reports.module.css';

/** With `all`, answered reports too. */
const reportsSearch = searchReader({ all: flag });

export const Route = createFileRoute('/admin/reports')({
  validateSearch: reportsSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(reportsQuery(!deps.all));
  },
  component: Reports,
});

function Reports() {
  const { all } = Route.useSearch();
  const reports = useQuery(reportsQuery(!all));
  return (
    <>
      <title>Reported issues · Muster</title>
      <p className={styles.choice}>
        <span>{all ? 'Open and answered reports, the newest 100.' : 'Reports that wait for an answer.'}</span>
        <Link to="/admin/reports" search={all ? {} : { all: true }} className={buttonClass()}>
          {all ? 'Only open ones' : 'Answered ones too'}
        </Link>
      </p>
      <Loaded query={reports} what="the reports" heights={['16rem']}>
        {(listed) => (
          <>
            {listed.length === 0 && (
              <Nothing>{all ? 'Nobody has reported an issue.' : 'No report waits for an answer.'}</Nothing>
            )}
            {listed.map((report) =>
              report.answered_at === null ? (
                <OpenReport key={report.report_id} report={report} />
              ) : (
                <Card key={report.report_id} title={titleOf(report)} about={<Told report={report} />}>
                  <p className={layout.quiet}>
                    Answered <Time at={report.answered_at} />
                  </p>
                  <p className={styles.words}>{report.answer}</p>
                </Card>
              ),
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

const titleOf = ({ order_id, username }: Report): string => `Order #${order_id}, by ${username}`;

/** The customer's message and its time. */
const Told = ({ report: { message, rows, created_at } }: { report: Report }) => (
  <>
    <p className={layout.quiet}>
      <Time at={created_at} />
      {rows && ` · governors ${rows.replaceAll(',', ', ')}`}
    </p>
    <blockquote className={styles.words}>{message}</blockquote>
  </>
);

function OpenReport({ report }: { report: Report }) {
  const client = useQueryClient();
  const answering = useMutation({
    mutationFn: (form: FormData) => answerReport(report.report_id, textOf(form, 'text')),
    onSuccess: () => client.invalidateQueries({ queryKey: ['admin', 'reports'] }),
  });
  return (
    <FormCard
      title={titleOf(report)}
      about={<Told report={report} />}
      action="Mail the answer"
      sending={answering}
      done={answering.isSuccess && 'The answer is on its way.'}
      onSubmit={answering.mutate}
    >
      <TextAreaField label="Answer" name="text" rows={4} required maxLength={5000} />
    </FormCard>
  );
}
