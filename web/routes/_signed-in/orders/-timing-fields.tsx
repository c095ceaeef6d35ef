import { t } from '../../../../domain/language/text.ts';
import type { Cents } from '../../../../domain/money/money.ts';
import { PERIODS, type Period } from '../../../../domain/orders/periods.ts';
import { costPerMonth } from '../../../../domain/orders/schedule.ts';
import { parseTime } from '../../../form-times.ts';
import { counted, money, ownTime } from '../../../format.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { T } from '../../../ui/text.tsx';
import type { Timing } from './-timing.ts';
import styles from './-timing-fields.module.css';

interface Changing {
  timing: Timing;
  change: (timing: Timing) => void;
  /** Price of one run; null if unknown. */
  price: Cents | null;
  /** How many days the balance lasts; null if unknown. */
  days?: number | null;
  /** What a blank start means. */
  blankStart?: string;
}

/** Fields for start, end and repetition, with the monthly cost. */
export function TimingFields({
  timing,
  change,
  price,
  days = null,
  blankStart = t('Blank or in the past: starts at once.'),
}: Changing) {
  const set = (part: Partial<Timing>) => change({ ...timing, ...part });
  const interval = Number(timing.interval);
  return (
    <div className={styles.fields}>
      <TextField
        label={t('Start (UTC)')}
        type="datetime-local"
        value={timing.start}
        help={ownHelp(timing.start, blankStart)}
        error={flawOf(timing.start)}
        onChange={(event) => set({ start: event.target.value })}
      />
      <TextField
        label={t('End (UTC)')}
        type="datetime-local"
        value={timing.end}
        help={ownHelp(timing.end, t('Blank: runs forever.'))}
        error={flawOf(timing.end)}
        onChange={(event) => set({ end: event.target.value })}
      />
      <SelectField
        label={t('Repeat')}
        options={PERIODS}
        shown={(period) =>
          t(
            '{period, select, none {none} minute {minute} hour {hour} day {day} week {week} month {month} other {year}}',
            { period },
          )
        }
        value={timing.period}
        onChange={(event) => set({ period: event.target.value as Period })}
      />
      {timing.period !== 'none' && (
        <TextField
          label={t(
            'Every how many {period, select, minute {minutes} hour {hours} day {days} week {weeks} month {months} other {years}}',
            { period: timing.period },
          )}
          inputMode="numeric"
          autoComplete="off"
          value={timing.interval}
          onChange={(event) => set({ interval: event.target.value })}
        />
      )}
      {price !== null && price > 0 && timing.period !== 'none' && Number.isInteger(interval) && interval >= 1 && (
        <p className={styles.cost} role="status">
          <T
            of="About <strong>{monthly} a month</strong> at today's price of {price} a run. Each run is charged when it starts."
            strong={(text) => <strong>{text}</strong>}
            monthly={money(costPerMonth(price, { period: timing.period, interval }))}
            price={money(price)}
          />
          {days !== null &&
            ` ${t('With the schedules you already have, your balance lasts about {days}.', { days: counted(days, 'day') })}`}
        </p>
      )}
    </div>
  );
}

const flawOf = (field: string): string | null =>
  field !== '' && parseTime(field) === null ? t('Write a day and a time, in UTC.') : null;

const ownHelp = (field: string, blank: string): string => {
  const moment = parseTime(field);
  return moment === null ? blank : t('Your time: {time}', { time: ownTime(moment) });
};

/** Chooses between now and later; later shows the time fields. */
export function TimingChoice(props: Changing) {
  const { timing, change } = props;
  return (
    <fieldset className={styles.choice}>
      <legend>{t('When')}</legend>
      <div className={styles.options}>
        {([false, true] as const).map((later) => (
          <label key={String(later)}>
            <input
              type="radio"
              name="when"
              checked={timing.later === later}
              onChange={() => change({ ...timing, later })}
            />
            {later ? t('Later or repeated') : t('Now')}
          </label>
        ))}
      </div>
      {timing.later && <TimingFields {...props} />}
    </fieldset>
  );
}
