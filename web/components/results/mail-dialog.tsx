import { useState } from 'react';
import { MAIL_LIMIT } from '../../../domain/mail.ts';
import { exact } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import styles from './choosers.module.css';
import { mailText } from './mail-text.ts';
import type { Results } from './results.ts';

const CHOICES = [10, 20, 30, 50, 100];

/** The first rows of the table, as it is filtered and sorted now, in words for a mail inside the game. */
export function MailDialog({
  results,
  rows,
  heading,
  sort,
  combined,
  close,
}: {
  results: Results;
  rows: Uint32Array;
  heading: string;
  /** The column that the rows are sorted by. */
  sort: string;
  combined: boolean;
  close: () => void;
}) {
  const [most, setMost] = useState(20);
  const wanted = rows.subarray(0, most);
  const by = results.columns.find(({ id }) => id === sort)?.title ?? 'Power';
  const mail = mailText(results, wanted, {
    heading: `${heading} · by ${by}`,
    figures: ['power', 'score', sort],
    combined,
  });
  return (
    <Dialog title="Copy for in-game mail" close={close}>
      <div className={styles.mail}>
        <label>
          Rows
          <Select value={most} onChange={({ target }) => setMost(Number(target.value))}>
            {CHOICES.map((choice) => (
              <option key={choice} value={choice}>
                Top {choice}
              </option>
            ))}
          </Select>
        </label>
        <span className={styles.note}>
          {exact(mail.text.length)} of {exact(MAIL_LIMIT)} characters
        </span>
      </div>
      <textarea
        className={styles.text}
        rows={12}
        readOnly
        value={mail.text}
        aria-label="Text of the mail"
        onFocus={({ target }) => target.select()}
      />
      {mail.rows < wanted.length && (
        <p className={styles.note}>
          A mail holds {exact(MAIL_LIMIT)} characters: the first {mail.rows} of {wanted.length} rows fit.
        </p>
      )}
      <DialogActions>
        <CopyButton text={mail.text} what="the mail" look="primary" />
        <Button onClick={close}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
