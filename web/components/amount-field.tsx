import { amountOf } from '../../domain/amounts.ts';
import { t } from '../../domain/language/text.ts';
import { compact, exact } from '../format.ts';
import { SettledField } from '../ui/settled-field.tsx';

/** A number field that accepts digits or short forms such as 50M. */
export const AmountField = ({
  label,
  value,
  set,
}: {
  label: string;
  value: number | undefined;
  set: (value: number | undefined) => void;
}) => (
  <SettledField
    label={label}
    placeholder={t('such as 50M')}
    value={value}
    set={set}
    read={amountOf}
    write={written}
    wrong={t('Write 50M or 50,000,000.')}
  />
);

/** Uses the short form if it loses no precision. */
const written = (value: number): string => (amountOf(compact(value)) === value ? compact(value) : exact(value));
