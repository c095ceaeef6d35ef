import { type FormEvent, type ReactNode, useRef } from 'react';
import { Logo } from '../ui/logo.tsx';
import styles from './entry-page.module.css';
import { Refusal } from './refusal.tsx';

/** A narrow screen with one form on it: what a visitor meets before he is a user. */
export function EntryPage({
  title,
  help,
  error = null,
  onSubmit,
  children,
}: {
  title: string;
  /** Where else to go, under the form. */
  help?: ReactNode;
  /** Why the form was refused. */
  error?: unknown;
  /** Gets what was filled in; left out: the screen has no form. */
  onSubmit?: (form: FormData) => void;
  children: ReactNode;
}) {
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onSubmit?.(new FormData(event.currentTarget));
  };
  const content = (
    <>
      <Logo size={36} />
      <h1>{title}</h1>
      <Refusal error={error} form={form}>
        {children}
      </Refusal>
      {help && <div className={styles.help}>{help}</div>}
    </>
  );
  return (
    <div className={styles.page}>
      <title>{`${title} · Muster`}</title>
      {onSubmit ? (
        <form ref={form} className={styles.form} onSubmit={submit}>
          {content}
        </form>
      ) : (
        <div className={styles.form}>{content}</div>
      )}
    </div>
  );
}

/** The text a form's field has, without blanks around it. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
