import { useState } from 'react';
import { t } from '../../domain/language/text.ts';
import { messageOf } from '../api/client.ts';
import type { Operation } from '../api/openapi.ts';
import { addressOf, MOST_READ_BYTES, type Tried, tryCall } from '../api/try-call.ts';
import { exact } from '../format.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { T } from '../ui/text.tsx';
import styles from './try-call.module.css';

/** A form that calls one API route with the user's key and shows the answer as text. */
export function TryCall({ path, operation, userKey }: { path: string; operation: Operation; userKey: string }) {
  const [values, setValues] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState<Tried | string | null>(null);
  const fields = operation.parameters.filter(({ in: where }) => where === 'path' || where === 'query');
  const call = async () => {
    setBusy(true);
    setTried(null);
    try {
      if (operation.security.length > 0 && userKey === '') throw new Error(t('Enter your key at the top of the page.'));
      setTried(await tryCall(addressOf(path, operation, values), userKey));
    } catch (error) {
      setTried(messageOf(error));
    }
    setBusy(false);
  };
  return (
    <form
      className={styles.form}
      aria-label={t('Try GET {path}', { path })}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void call();
      }}
    >
      {fields.length > 0 && (
        <div className={styles.fields}>
          {fields.map(({ name, in: where, required }) => (
            <TextField
              key={name}
              label={where === 'path' || required ? name : t('{name} (optional)', { name })}
              value={values[name] ?? ''}
              autoComplete="off"
              onChange={({ target }) => setValues({ ...values, [name]: target.value })}
            />
          ))}
        </div>
      )}
      <div>
        <Button type="submit" look="primary" busy={busy}>
          {t('Try it')}
        </Button>
      </div>
      {typeof tried === 'string' && <Notice tone="danger">{tried}</Notice>}
      {tried !== null && typeof tried !== 'string' && <Answer tried={tried} />}
    </form>
  );
}

const Answer = ({ tried: { path, status, type, ms, text, cut } }: { tried: Tried }) => (
  <section aria-label={t('Answer')} className={styles.answer}>
    <p role="status">
      <T
        of="{b} {code} in {ms} ms, {value}"
        b={<b>{status}</b>}
        code={<code>{path}</code>}
        ms={exact(ms)}
        value={type || t('no content')}
      />
    </p>
    {text === null && <p>{t('The answer is a file. Download it with a program.')}</p>}
    {text !== null && (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
      <pre className={styles.text} tabIndex={0}>
        {text}
      </pre>
    )}
    {cut && (
      <p>
        <T of="The answer goes on. The first {exact} kB are shown." exact={exact(MOST_READ_BYTES / 1000)} />
      </p>
    )}
  </section>
);
