import type { ComponentProps } from 'react';
import styles from './select.module.css';

/** A choice among few, as the platform draws it, without a label of its own. */
export const Select = ({ className, ...rest }: ComponentProps<'select'>) => (
  <select {...rest} className={className ? `${styles.select} ${className}` : styles.select} />
);
