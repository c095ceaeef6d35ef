import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ScheduleRun } from '../../../api/schedules.ts';
import { DownloadLinks } from '../../../components/download-links.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './-schedule-runs.module.css';

/** Runs shown before the user expands the list. */
const SHOWN = 5;

/** Latest runs of a schedule, with results or the reason for none. */
export function ScheduleRuns({ runs }: { runs: ScheduleRun[] }) {
  const [whole, setWhole] = useState(false);
  if (runs.length === 0) return <p className={styles.none}>No runs yet.</p>;
  const shown = whole ? runs : runs.slice(0, SHOWN);
  return (
    <>
      <ul className={styles.runs} aria-label="Runs">
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
          Show {runs.length - shown.length} more
        </Button>
      )}
    </>
  );
}

/** Why a run placed no order, if it has no note. */
const REASONS = {
  placed: '',
  unpaid: 'Your balance did not cover this run.',
  not_ready: 'A product of this order could not be ordered then.',
  refused: 'This run was refused.',
  failed: 'This run failed on our side.',
  skipped: 'This run was skipped.',
} as const;

/** Returns why a run placed no order. */
export const missText = ({ note, outcome }: ScheduleRun): string => note ?? REASONS[outcome];

function Outcome({ run }: { run: ScheduleRun }) {
  const { outcome, order_id, item_id, item_count } = run;
  if (outcome !== 'placed' || order_id === null) return <p className={styles.missed}>{missText(run)}</p>;
  const all = item_count > 1;
  const id = all ? String(order_id) : item_id;
  return (
    <div className={styles.outcome}>
      <Link to="/orders" search={{ search: `#${order_id}` }}>
        Order #{order_id}
      </Link>
      {run.running && <span className={styles.running}>Still running...</span>}
      {!run.running && !run.has_results && <span className={styles.missed}>No results came back.</span>}
      {run.has_results && id !== null && (
        <>
          <Link
            to="/order/$orderId"
            params={{ orderId: id }}
            search={all ? { all } : {}}
            className={buttonClass()}
            aria-label={`View results of order ${order_id}`}
          >
            View Results
          </Link>
          {run.downloadable && <DownloadLinks id={id} all={all} what={`order ${order_id}`} />}
        </>
      )}
      {run.not_downloadable && <span className={styles.missed}>Too many results, not downloadable.</span>}
    </div>
  );
}
