import { t } from '../../domain/language/text.ts';
import { Select } from '../ui/select.tsx';
import styles from './orders-filter.module.css';

interface Options<Value extends string> {
  value: Value | undefined;
  values: readonly Value[];
  nameOf: (value: Value) => string;
  /** Names the choice of no value. */
  all?: string;
  /** Undefined stands for all values. */
  change: (value: Value | undefined) => void;
}

/** A select that filters by one of `values`, or by none. */
export const FilterSelect = <Value extends string>({
  label,
  value,
  values,
  nameOf,
  all = t('All'),
  change,
}: Options<Value> & { label?: string }) => (
  <Select
    aria-label={label}
    value={value ?? ''}
    onChange={({ target }) => change(values.find((each) => each === target.value))}
  >
    <option value="">{all}</option>
    {values.map((each) => (
      <option key={each} value={each}>
        {nameOf(each)}
      </option>
    ))}
  </Select>
);

/** A `FilterSelect` with its label above it. */
export const FilterChoice = <Value extends string>({ label, ...options }: Options<Value> & { label: string }) => (
  <label className={styles.choice}>
    {label}
    <FilterSelect {...options} />
  </label>
);
