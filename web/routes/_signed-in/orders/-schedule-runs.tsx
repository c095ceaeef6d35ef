import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { message, t, words } from '../../../../domain/language/text.ts';
import type { ScheduleRun } from '../../../api/schedules.ts';
import { DownloadLinks } from '../../../components/download-links.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './-schedule-runs.module.css';

/** Runs shown before the user expands the list. */
const SHOWN = 5;

/** Latest runs of a schedule, with results or the reason for none. */
export function ScheduleRuns({ runs }: { runs: ScheduleRun[] }) {
  const [whole, setWhole] = useState(false);
  if (runs.length === 0) return <p className={styles.none}>{t('No runs yet.')}</p>;
  const shown = whole ? runs : runs.slice(0, SHOWN);
  return (
    <>
      <ul className={styles.runs} aria-label={t('Runs')}>
        {shown.map((run) => (
          <li key={run.time}>
            <span className="tabular">
              <Time at={run.time} />
            </span>
            <Outcome run={run} />
          </li>
        ))}
      </ul>
      {shown.length < runs.length && (
        <Button look="bare" onClick={() => setWhole(true)}>
          <T of="Show {value} more" value={runs.length - shown.length} />
        </Button>
      )}
    </>
  );
}

/** Why a run placed no order, if it has no note. */
const REASONS = {
  placed: '',
  unpaid: message('Your balance did not cover this run.'),
  not_ready: message('A product of this order could not be ordered then.'),
  refused: message('This run was refused.'),
  failed: message('This run failed on our side.'),
  skipped: message('This run was skipped.'),
} as const;

/** Returns why a run placed no order. */
export const missText = ({ note, outcome }: ScheduleRun): string => note ?? words(REASONS[outcome]);

function Outcome({ run }: { run: ScheduleRun }) {
  const { outcome, order_id, item_id, item_count } = run;
  if (outcome !== 'placed' || order_id === null) return <p className={styles.missed}>{missText(run)}</p>;
  const all = item_count > 1;
  const id = all ? String(order_id) : item_id;
  return (
    <div className={styles.outcome}>
      <Link to="/orders" search={{ search: `#${order_id}` }}>
        <T of="Order #{order_id}" order_id={String(order_id)} />
      </Link>
      {run.running && <span className={styles.running}>{t('Still running...')}</span>}
      {!run.running && !run.has_results && <span className={styles.missed}>{t('No results came back.')}</span>}
      {run.has_results && id !== null && (
        <>
          <Link
            to="/order/$orderId"
            params={{ orderId: id }}
            search={all ? { all } : {}}
            className={buttonClass()}
            aria-label={t('View results of order {order_id}', { order_id: String(order_id) })}
          >
            {t('View Results')}
          </Link>
          {run.downloadable && (
            <DownloadLinks id={id} all={all} what={t('order {order_id}', { order_id: String(order_id) })} />
          )}
        </>
      )}
      {run.not_downloadable && <span className={styles.missed}>{t('Too many results, not downloadable.')}</span>}
    </div>
  );
}
