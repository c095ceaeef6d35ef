import type { ComponentProps } from 'react';
import styles from './select.module.css';

/** A native select without a label. */
export const Select = ({ className, ...rest }: ComponentProps<'select'>) => (
  <select {...rest} className={className ? `${styles.select} ${className}` : styles.select} />
);
