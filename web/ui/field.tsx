import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './field.module.css';
import { Select } from './select.tsx';

interface Said {
  label: string;
  help?: ReactNode;
  /** What is wrong with the value, read out as soon as it is there. */
  error?: string | null;
}

/** What a control carries to be tied to its label, help and error for those who hear the page. */
interface Ties {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

function Labelled({ label, help, error, children }: Said & { children: (ties: Ties) => ReactNode }) {
  const id = useId();
  const about = `${id}-about`;
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': help || error ? about : undefined,
      })}
      <About id={about} help={help} error={error} />
    </div>
  );
}

/** A labelled line of text. */
export const TextField = ({ label, help, error, ...rest }: ComponentProps<'input'> & Said) => (
  <Labelled label={label} help={help} error={error}>
    {(ties) => <input {...rest} {...ties} className={styles.input} />}
  </Labelled>
);

/** A labelled text of several lines. */
export const TextAreaField = ({ label, help, error, ...rest }: ComponentProps<'textarea'> & Said) => (
  <Labelled label={label} help={help} error={error}>
    {(ties) => <textarea {...rest} {...ties} className={`${styles.input} ${styles.area}`} />}
  </Labelled>
);

/** A choice among few, as the platform draws it. */
export const SelectField = ({
  label,
  help,
  error,
  options,
  ...rest
}: ComponentProps<'select'> & Said & { options: readonly string[] }) => (
  <Labelled label={label} help={help} error={error}>
    {(ties) => (
      <Select {...rest} {...ties}>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </Select>
    )}
  </Labelled>
);

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
