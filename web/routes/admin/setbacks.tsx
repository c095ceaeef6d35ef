import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { message, t } from '../../../domain/language/text.ts';
import { type Setback, setbacksQuery, trySetback } from '../../api/admin.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Nothing } from '../../components/panel.tsx';
import { counted, exact, ownTime } from '../../format.ts';
import type { Column } from '../../table/column.ts';
import { Table } from '../../table/table.tsx';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { Act } from './-act.tsx';

export const Route = createFileRoute('/admin/setbacks')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(setbacksQuery);
  },
  component: Setbacks,
});

const nameOf = ({ job, subject }: Setback): string => (subject === '' ? job : `${job}: ${subject}`);

const nextTry = ({ next_at }: Setback): string => (next_at <= Date.now() ? t('on the next run') : ownTime(next_at));

const COLUMNS: readonly Column<Setback>[] = [
  { id: 'job', title: message('Job'), sticky: true, cell: ({ job }) => job },
  { id: 'subject', title: message('Subject'), cell: ({ subject }) => subject || t('everything') },
  {
    id: 'error',
    title: message('Why'),
    grow: true,
    wraps: true,
    cell: ({ error }) => error ?? t('It failed without a message.'),
  },
  { id: 'tries', title: message('Tries'), figures: true, cell: ({ tries }) => exact(tries) },
  { id: 'begun', title: message('Last tried'), cell: ({ begun_at }) => <Time at={begun_at} /> },
  { id: 'next', title: message('Next try'), cell: nextTry },
  { id: 'try', title: '', cell: (setback) => !setback.by_itself && <TryNow setback={setback} /> },
];

function TryNow({ setback }: { setback: Setback }) {
  const name = nameOf(setback);
  return (
    <Act
      label={t('Try now')}
      name={t('Try {setback} now', { setback: name })}
      title={t('Try {setback} now', { setback: name })}
      about={t(
        'It runs with the next round of its job, which some have once an hour or a day. If it fails again, the delay grows on.',
      )}
      reason={false}
      disabled={setback.next_at <= Date.now()}
      act={async () => {
        await trySetback(setback);
        return null;
      }}
    />
  );
}

function Setbacks() {
  const setbacks = useQuery(setbacksQuery);
  return (
    <>
      <title>{t('Retry queue · Muster')}</title>
      <p>
        {t(
          'Background jobs that failed. Each is retried with a growing delay and blocks nothing else. A job leaves the queue once it succeeds.',
        )}
      </p>
      <Loaded query={setbacks} what={t('the retry queue')} heights={['12rem']}>
        {({ count, setbacks: rows }) =>
          rows.length === 0 ? (
            <Nothing>{t('The retry queue is empty.')}</Nothing>
          ) : (
            <>
              {count > rows.length && (
                <p>
                  <T of="The latest {shown} of {jobs}." shown={exact(rows.length)} jobs={counted(count, 'job')} />
                </p>
              )}
              <Table
                label={t('Retry queue')}
                columns={COLUMNS}
                rows={rows}
                rowId={({ job, subject }) => `${job} ${subject}`}
              />
            </>
          )
        }
      </Loaded>
    </>
  );
}
