import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../../domain/language/text.ts';
import { answerReport, closeReport, type Report } from '../../api/admin-orders.ts';
import { textOf } from '../../components/entry-page.tsx';
import { Card, FormCard } from '../../components/form-card.tsx';
import { TextAreaField } from '../../ui/field.tsx';
import layout from '../../ui/layout.module.css';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { Act, useMayAct } from './-act.tsx';
import styles from './reports.module.css';

type Shown = Pick<
  Report,
  'report_id' | 'order_id' | 'username' | 'message' | 'rows' | 'created_at' | 'answer' | 'answered_at'
> &
  Partial<Pick<Report, 'game' | 'kingdom_id'>>;

const titleOf = ({ order_id, username }: Shown): string =>
  t('Order #{order_id}, by {username}', { order_id, username });

/** The customer's message, with links to what it is about. */
const Told = ({ report }: { report: Shown }) => (
  <>
    <p className={layout.quiet}>
      <Time at={report.created_at} />
      {' · '}
      <Link to="/admin/orders/$orderId" params={{ orderId: String(report.order_id) }}>
        {t('order #{order_id}', { order_id: report.order_id })}
      </Link>
      {report.game && ` · ${report.game.toUpperCase()} ${report.kingdom_id}`}
      {report.rows && (
        <>
          {' · '}
          <T
            of="governors {governors}"
            governors={report.rows.split(',').map((id, index) => (
              <span key={id}>
                {index > 0 && ' · '}
                <Link to="/players/$id" params={{ id }}>
                  {id}
                </Link>
              </span>
            ))}
          />
        </>
      )}
    </p>
    <blockquote className={styles.words}>{report.message}</blockquote>
  </>
);

/** A user's report: its answer, or a form to answer or close it. */
export function ReportCard({ report }: { report: Shown }) {
  const mayAct = useMayAct();
  const client = useQueryClient();
  const answering = useMutation({
    mutationFn: (form: FormData) => answerReport(report.report_id, textOf(form, 'text')),
    onSuccess: () => client.invalidateQueries({ queryKey: ['admin'] }),
  });
  if (report.answered_at !== null || !mayAct)
    return (
      <Card title={titleOf(report)} about={<Told report={report} />}>
        {report.answered_at !== null && (
          <p className={layout.quiet}>
            <T
              of={report.answer === null ? 'Closed {time}' : 'Answered {time}'}
              time={<Time at={report.answered_at} />}
            />
          </p>
        )}
        {report.answer && <p className={styles.words}>{report.answer}</p>}
      </Card>
    );
  return (
    <>
      <FormCard
        title={titleOf(report)}
        about={<Told report={report} />}
        action={t('Mail the answer')}
        sending={answering}
        done={answering.isSuccess && t('The answer is on its way.')}
        onSubmit={answering.mutate}
      >
        <TextAreaField label={t('Answer')} name="text" rows={4} required maxLength={5000} />
      </FormCard>
      <div>
        <Act
          label={t('Close without an answer')}
          title={t('Close the report by {username}?', { username: report.username })}
          about={t('The user gets no mail and sees on the order that it was closed.')}
          action={t('Close')}
          reason={false}
          act={() => closeReport(report.report_id).then(() => null)}
        />
      </div>
    </>
  );
}
