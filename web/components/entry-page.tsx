import { type FormEvent, type ReactNode, useRef } from 'react';
import { t } from '../../domain/language/text.ts';
import { Logo } from '../ui/logo.tsx';
import styles from './entry-page.module.css';
import { Refusal } from './refusal.tsx';

/** A narrow page with one form, for visitors who are not signed in. */
export function EntryPage({
  title,
  help,
  error = null,
  onSubmit,
  children,
}: {
  title: string;
  /** Links below the form. */
  help?: ReactNode;
  /** Why the form was refused. */
  error?: unknown;
  /** Receives the form data. If omitted, the page has no form. */
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
      <title>{t('{title} · Muster', { title })}</title>
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

/** Returns a field's trimmed text. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();
