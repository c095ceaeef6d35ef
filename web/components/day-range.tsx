import { t } from '../../domain/language/text.ts';
import { TextField } from '../ui/field.tsx';

interface Days {
  /** A day such as 2026-11-24, or undefined if open. */
  from?: string | undefined;
  to?: string | undefined;
}

/** Two fields of a filter: the first and the last day, in UTC. */
export const DayRange = ({ from, to, change }: Days & { change: (part: Days) => void }) => (
  <>
    <TextField
      label={t('From (UTC)')}
      type="date"
      value={from ?? ''}
      max={to}
      onChange={({ target }) => change({ from: target.value || undefined })}
    />
    <TextField
      label={t('To (UTC)')}
      type="date"
      value={to ?? ''}
      min={from}
      onChange={({ target }) => change({ to: target.value || undefined })}
    />
  </>
);
