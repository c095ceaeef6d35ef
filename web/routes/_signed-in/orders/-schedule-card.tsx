import { labelled, t, words } from '../../../../domain/language/text.ts';
import { centsOf } from '../../../../domain/money/money.ts';
import type { Schedule } from '../../../api/schedules.ts';
import { SCHEDULE_STATE_TITLE } from '../../../components/schedule-states.ts';
import { money, shortened } from '../../../format.ts';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import { ScheduleActions } from './-schedule-actions.tsx';
import styles from './-schedule-card.module.css';
import { missText, ScheduleRuns } from './-schedule-runs.tsx';
import { monthlyCost, openEnd, periodText } from './-timing.ts';

/** A schedule: times, entries, price and runs. */
export function ScheduleCard({ schedule }: { schedule: Schedule }) {
  const { schedule_id, state, entries } = schedule;
  return (
    <article className={styles.card} aria-labelledby={`schedule-${schedule_id}`}>
      <header className={styles.head}>
        <h2 id={`schedule-${schedule_id}`}>
          <T of="Schedule #{schedule_id}" schedule_id={String(schedule_id)} />
        </h2>
        <p className={styles.state} data-state={state}>
          {words(SCHEDULE_STATE_TITLE[state])}
        </p>
        <ScheduleActions schedule={schedule} />
      </header>
      <ul className={styles.entries}>
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries never change and have no name of their own.
          <li key={index}>
            <strong>{words(entry.product_name ?? entry.type)}</strong> {fieldsText(entry.fields ?? {})}
          </li>
        ))}
      </ul>
      {schedule.paused_by && <p className={styles.why}>{pauseText(schedule)}</p>}
      <Times schedule={schedule} />
      <ScheduleRuns runs={schedule.orders} />
    </article>
  );
}

/** Says why a schedule is paused. */
function pauseText({ paused_by, orders: [last] }: Schedule): string {
  if (paused_by === 'user') return t('You paused it. After you resume it, it continues at its next time.');
  if (paused_by === 'admin')
    return t('Paused because your account was locked. After you resume it, it continues at its next time.');
  return t('Paused because its last runs placed no order. {reason} Resume it once that is fixed.', {
    reason: last ? missText(last) : '',
  });
}

/** Maximum length of a list of kingdoms, in characters. */
const LONGEST = 90;

const fieldsText = (fields: Record<string, unknown>): string =>
  Object.entries(fields)
    .map(([display, value]) => labelled(words(display), shortened(words(String(value)), LONGEST)))
    .join(' · ');

function Times({ schedule }: { schedule: Schedule }) {
  const { start_at, end_at, next_at, period, interval, state } = schedule;
  return (
    <dl className={styles.times}>
      <Planned name={t('Start')} moment={start_at} />
      {end_at === null ? (
        <div>
          <dt>{t('End')}</dt>
          <dd>{openEnd(schedule)}</dd>
        </div>
      ) : (
        <Planned name={t('End')} moment={end_at} />
      )}
      <div>
        <dt>{t('Period')}</dt>
        <dd>{periodText(period, interval)}</dd>
      </div>
      {state === 'active' && next_at !== null ? (
        <Planned name={t('Next run')} moment={next_at} />
      ) : (
        <div>
          <dt>{t('Next run')}</dt>
          <dd>{state === 'paused' ? t('when resumed') : '–'}</dd>
        </div>
      )}
      {state !== 'ended' && <TodaysPrice schedule={schedule} />}
    </dl>
  );
}

function TodaysPrice({ schedule }: { schedule: Schedule }) {
  const price = schedule.total === null ? null : (centsOf(schedule.total) ?? 0);
  const monthly = price === null ? null : monthlyCost(schedule, price);
  return (
    <div>
      <dt>{t('Today’s price')}</dt>
      {price === null ? (
        <dd>{t('cannot be ordered at present')}</dd>
      ) : (
        <dd className="tabular">
          <T
            of="{price} a run{monthly}"
            price={money(price)}
            monthly={monthly !== null && <small>{t('about {amount} a month', { amount: money(monthly) })}</small>}
          />
        </dd>
      )}
    </div>
  );
}

const Planned = ({ name, moment }: { name: string; moment: number }) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <Time at={moment} />
    </dd>
  </div>
);
