import { dateTime } from '../../../domain/figures.ts';
import { locale } from '../../../domain/language/current.ts';
import { t } from '../../../domain/language/text.ts';
import { MAX_MISSED_RUNS } from '../../../domain/orders/schedule.ts';
import type { NewMail } from '../messages/outbox.ts';

/** A run of a schedule, as its mail needs it. */
interface MissedRun {
  schedule: { id: number; next_at: number | null };
  due_at: number;
}

/** Returns the mail about a run that placed no order, in the current language. */
export function missedRunMail({ schedule, due_at }: MissedRun, why: string, pause: boolean): Omit<NewMail, 'to'> {
  const values = { id: String(schedule.id), when: dateTime(due_at), why };
  if (pause)
    return {
      subject: t('A schedule was paused'),
      text: [
        t(
          'Your scheduled order #{id} is paused, because it could not be placed. Its last run was due at {when}: {why}',
          values,
        ),
        t('You can resume it on the page of your scheduled orders.'),
      ].join('\n\n'),
      language: locale(),
      reference: `paused:${schedule.id}:${due_at}`,
    };
  const next = t(
    'It is tried again at its next times. After {count} missed runs in a row the schedule is paused, without another mail.',
    { count: MAX_MISSED_RUNS },
  );
  return {
    subject: t('A scheduled order was not placed'),
    text: [
      t('Your scheduled order #{id}, due at {when}, was not placed: {why}', values),
      ...(schedule.next_at === null ? [] : [next]),
    ].join('\n\n'),
    language: locale(),
    reference: `run:${schedule.id}:${due_at}`,
  };
}
