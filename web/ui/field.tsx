import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';

interface Said {
  label: string;
  help?: ReactNode;
  /** What is wrong with the value, read out as soon as it is there. */
  error?: string | null;
}

/** A labelled line of text; label, help and error are tied to the input for those who hear the page. */
export function TextField({ label, help, error, ...rest }: ComponentProps<'input'> & Said) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        {...rest}
        id={id}
        className={styles.input}
        aria-invalid={error ? true : undefined}
        aria-describedby={help || error ? `${id}-about` : undefined}
      />
      <About id={`${id}-about`} help={help} error={error} />
    </div>
  );
}

/** A labelled text of several lines. */
export function TextAreaField({ label, help, error, ...rest }: ComponentProps<'textarea'> & Said) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <textarea
        {...rest}
        id={id}
        className={`${styles.input} ${styles.area}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={help || error ? `${id}-about` : undefined}
      />
      <About id={`${id}-about`} help={help} error={error} />
    </div>
  );
}

/** A choice among few, as the platform draws it. */
export function SelectField({
  label,
  help,
  error,
  options,
  ...rest
}: ComponentProps<'select'> & Said & { options: readonly string[] }) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select {...rest} id={id} className={styles.input} aria-describedby={help || error ? `${id}-about` : undefined}>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </select>
      <About id={`${id}-about`} help={help} error={error} />
    </div>
  );
}

/** A switch between yes and no. */
export function CheckField({ label, help, ...rest }: ComponentProps<'input'> & Omit<Said, 'error'>) {
  const id = useId();
  return (
    <div className={styles.check}>
      <input {...rest} type="checkbox" id={id} aria-describedby={help ? `${id}-about` : undefined} />
      <div>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        <About id={`${id}-about`} help={help} />
      </div>
    </div>
  );
}

const About = ({ id, help, error }: { id: string } & Omit<Said, 'label'>) => (
  <div id={id}>
    {error ? (
      <p className={styles.error} role="alert">
        {error}
      </p>
    ) : help ? (
      <p className={styles.help}>{help}</p>
    ) : null}
  </div>
);
