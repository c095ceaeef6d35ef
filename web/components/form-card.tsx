import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './form-card.module.css';
import { Refusal } from './refusal.tsx';

/** What of a mutation a form shows: that it is under way, what went wrong, what was answered. */
interface Sending {
  isPending: boolean;
  isSuccess: boolean;
  error: unknown;
}

/** A titled card with a form in it. */
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
  /** The button's words. */
  action: string;
  look?: 'primary' | 'danger';
  sending: Sending;
  /** Once it worked the fields are as at first. What was refused stays in them. */
  clears?: boolean;
  /** Said once it worked. */
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
      {about && <div className={styles.about}>{about}</div>}
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
          // The second press of a double click, which may come when the answer to the first is there.
          onClick={(event) => event.detail > 1 && event.preventDefault()}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}

/** A card of the same look without a form. */
export function Card({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.card} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about && <div className={styles.about}>{about}</div>}
      {children}
    </section>
  );
}

/** Cards side by side as far as there is room. */
export const Cards = ({ children }: { children: ReactNode }) => <div className={styles.cards}>{children}</div>;
