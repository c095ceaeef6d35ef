import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react';
import styles from './field.module.css';
import { Select } from './select.tsx';

/** What a form was refused for: the field's name, and what is wrong with it ('must be a number.'). */
export const RefusedField = createContext<{ name: string; text: string } | null>(null);

/** The sentence for a field that the form was refused for: it names the field as its label does; a box is named by itself. */
function useRefusal(name: string | undefined, label: string | null): string | null {
  const refused = use(RefusedField);
  if (!refused || refused.name !== name) return null;
  if (label === null) return refused.text.charAt(0).toUpperCase() + refused.text.slice(1);
  return /^(must|is|has|needs)\b/.test(refused.text) ? `${label} ${refused.text}` : `${label}: ${refused.text}`;
}

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

interface LabelledProps extends Said {
  /** The field's, under which a form is refused. */
  name: string | undefined;
  children: (ties: Ties) => ReactNode;
}

function Labelled({ label, help, error: own, name, children }: LabelledProps) {
  const id = useId();
  const refusal = useRefusal(name, label);
  const error = own ?? refusal;
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
  <Labelled label={label} help={help} error={error} name={rest.name}>
    {(ties) => <input {...rest} {...ties} className={styles.input} />}
  </Labelled>
);

/** A labelled text of several lines. */
export const TextAreaField = ({ label, help, error, ...rest }: ComponentProps<'textarea'> & Said) => (
  <Labelled label={label} help={help} error={error} name={rest.name}>
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
  <Labelled label={label} help={help} error={error} name={rest.name}>
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
  const error = useRefusal(rest.name, null);
  return (
    <div className={styles.check}>
      <input
        {...rest}
        type="checkbox"
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={help || error ? `${id}-about` : undefined}
      />
      <div>
        <label className={styles.label} htmlFor={id}>
          {label}
        </label>
        <About id={`${id}-about`} help={help} error={error} />
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
