import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import layout from '../ui/layout.module.css';
import { Notice } from '../ui/notice.tsx';
import styles from './form-card.module.css';
import { Refusal } from './refusal.tsx';

/** The part of a mutation that a form shows. */
interface Sending {
  isPending: boolean;
  isSuccess: boolean;
  error: unknown;
}

/** A titled card with a form. */
export function FormCard({
  title,
  about,
  action,
  look,
  sending,
  clears = false,
  done,
  onSubmit,
  children,
}: {
  title: string;
  about?: ReactNode;
  /** Label of the submit button. */
  action: string;
  look?: 'primary' | 'danger';
  sending: Sending;
  /** Resets the fields on success. A refused form keeps its values. */
  clears?: boolean;
  /** Shown after success. */
  done?: ReactNode;
  onSubmit: (form: FormData) => void;
  children: ReactNode;
}) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const { isSuccess } = sending;
  useEffect(() => {
    if (clears && isSuccess) form.current?.reset();
  }, [clears, isSuccess]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!sending.isPending) onSubmit(new FormData(event.currentTarget));
  };
  return (
    <form ref={form} className={styles.card} onSubmit={submit} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about && <div className={layout.quiet}>{about}</div>}
      <Refusal error={sending.error} form={form}>
        {children}
      </Refusal>
      {done && <Notice>{done}</Notice>}
      <div className={styles.actions}>
        <Button
          type="submit"
          look={look === 'primary' ? 'primary' : 'plain'}
          className={look === 'danger' ? styles.danger : undefined}
          busy={sending.isPending}
          // Ignores the second click of a double click, which may arrive after the first one's answer.
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}

/** The same card without a form. */
export function Card({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about && <div className={layout.quiet}>{about}</div>}
      {children}
    </section>
  );
}

/** Cards in as many columns as fit. */
export const Cards = ({ children }: { children: ReactNode }) => <div className={styles.cards}>{children}</div>;
