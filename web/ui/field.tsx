import { type ComponentProps, createContext, type ReactNode, use, useId } from 'react';
import styles from './field.module.css';
import layout from './layout.module.css';
import { Select } from './select.tsx';

/** The field that the server refused and why ('must be a number.'). */
export const RefusedField = createContext<{ name: string; text: string } | null>(null);

/**
 * Returns the message if this field was refused, starting with the field's label. A checkbox has no label in its
 * message.
 */
function useRefusal(name: string | undefined, label: string | null): string | null {
  const refused = use(RefusedField);
  if (!refused || refused.name !== name) return null;
  if (label === null) return refused.text.charAt(0).toUpperCase() + refused.text.slice(1);
  return /^(must|is|has|needs)\b/.test(refused.text) ? `${label} ${refused.text}` : `${label}: ${refused.text}`;
}

interface Said {
  label: string;
  help?: ReactNode;
  /** Error message, announced when it appears. */
  error?: string | null;
}

/** Attributes that relate a control to its label, help and error. */
interface Ties {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface LabelledProps extends Said {
  /** The control's name, which a refusal refers to. */
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

/** A labelled text input. */
export const TextField = ({ label, help, error, ...rest }: ComponentProps<'input'> & Said) => (
  <Labelled label={label} help={help} error={error} name={rest.name}>
    {(ties) => <input {...rest} {...ties} className={styles.input} />}
  </Labelled>
);

/** A labelled multi-line text input. */
export const TextAreaField = ({ label, help, error, ...rest }: ComponentProps<'textarea'> & Said) => (
  <Labelled label={label} help={help} error={error} name={rest.name}>
    {(ties) => <textarea {...rest} {...ties} className={`${styles.input} ${styles.area}`} />}
  </Labelled>
);

/** A labelled native select. `shown` writes an option; without it the options are shown as they are. */
export const SelectField = <Option extends string>({
  label,
  help,
  error,
  options,
  shown = (option) => option,
  ...rest
}: ComponentProps<'select'> & Said & { options: readonly Option[]; shown?: (option: Option) => string }) => (
  <Labelled label={label} help={help} error={error} name={rest.name}>
    {(ties) => (
      <Select {...rest} {...ties}>
        {options.map((option) => (
          <option key={option} value={option}>
            {shown(option)}
          </option>
        ))}
      </Select>
    )}
  </Labelled>
);

/** A labelled checkbox. */
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
      <p className={layout.quiet}>{help}</p>
    ) : null}
  </div>
);
