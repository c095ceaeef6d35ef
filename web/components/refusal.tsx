import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';
import { ApiError, messageOf } from '../api/client.ts';
import { RefusedField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';

/** Parses a refusal such as 'email: must be an e-mail address.' into field and text; null if it names no field. */
export function refusedField(error: unknown): { name: string; text: string } | null {
  if (!(error instanceof ApiError) || error.status !== 400) return null;
  const [, name, text] = /^([a-z_]+)(?:\[\d+\])?: (.+)$/s.exec(error.message) ?? [];
  return name === undefined || text === undefined ? null : { name, text };
}

/**
 * The fields of a form and the reason it was refused. The reason appears at its field, which gets the focus, or below
 * the form if no field matches.
 */
export function Refusal({
  error,
  form,
  children,
}: {
  error: unknown;
  form: RefObject<HTMLFormElement | null>;
  children: ReactNode;
}) {
  const [claimed, setClaimed] = useState(false);
  useLayoutEffect(() => {
    const refused = refusedField(error);
    const field = refused && form.current?.elements.namedItem(refused.name);
    setClaimed(field instanceof HTMLElement);
    if (field instanceof HTMLElement) field.focus();
  }, [error, form]);
  return (
    <RefusedField value={error ? refusedField(error) : null}>
      {children}
      {error && !claimed ? <Notice tone="danger">{messageOf(error)}</Notice> : null}
    </RefusedField>
  );
}
