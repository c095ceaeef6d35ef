import { useState } from 'react';
import { message, t, words } from '../../../domain/language/text.ts';
import { MAIL_LIMIT } from '../../../domain/mail.ts';
import { exact } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import layout from '../../ui/layout.module.css';
import { Select } from '../../ui/select.tsx';
import tabs from '../../ui/tabs.module.css';
import { T } from '../../ui/text.tsx';
import styles from './choosers.module.css';
import { DISCORD_LIMIT, discordText, sheetText } from './copy-text.ts';
import { mailText } from './mail-text.ts';
import type { ResultColumn, Results } from './results.ts';

const CHOICES = [10, 20, 30, 50, 100, Number.POSITIVE_INFINITY];

/** Copy formats: title, accessible names and maximum length. */
const TARGETS = {
  mail: {
    title: message('In-game mail'),
    what: message('the mail'),
    text: message('Text of the mail'),
    limit: MAIL_LIMIT,
  },
  sheet: { title: message('Spreadsheet'), what: message('the rows'), text: message('Text of the rows'), limit: null },
  discord: {
    title: message('Discord'),
    what: message('the message'),
    text: message('Text of the message'),
    limit: DISCORD_LIMIT,
  },
} as const;
type Target = keyof typeof TARGETS;

/** Copies the first rows of the filtered and sorted table as text for other programs. */
export function CopyDialog({
  results,
  rows,
  shown,
  heading,
  sort,
  combined,
  close,
}: {
  results: Results;
  rows: Uint32Array;
  /** Columns of the table. */
  shown: readonly ResultColumn[];
  heading: string;
  /** Sort column. */
  sort: string;
  combined: boolean;
  close: () => void;
}) {
  const [target, setTarget] = useState<Target>('mail');
  const [most, setMost] = useState(20);
  const wanted = rows.subarray(0, most);
  const by = words(results.columns.find(({ id }) => id === sort)?.title ?? 'Power');
  const options = { heading: t('{heading} · by {by}', { heading, by }), figures: ['power', 'score', sort], combined };
  const copied =
    target === 'sheet'
      ? { text: sheetText(results, wanted, shown), rows: wanted.length }
      : (target === 'mail' ? mailText : discordText)(results, wanted, options);
  const { what, text, limit } = TARGETS[target];
  return (
    <Dialog title={t('Copy rows')} close={close}>
      <fieldset className={tabs.tabs} aria-label={t('Copy for')}>
        {(Object.keys(TARGETS) as Target[]).map((each) => (
          <button
            key={each}
            type="button"
            className={tabs.tab}
            data-on={each === target || undefined}
            aria-pressed={each === target}
            onClick={() => setTarget(each)}
          >
            {words(TARGETS[each].title)}
          </button>
        ))}
      </fieldset>
      <div className={styles.mail}>
        <label>
          {t('Rows')}
          <Select value={most} onChange={({ target: { value } }) => setMost(Number(value))}>
            {CHOICES.map((choice) => (
              <option key={choice} value={choice}>
                {choice === Number.POSITIVE_INFINITY
                  ? t('All {length}', { length: exact(rows.length) })
                  : t('Top {choice}', { choice })}
              </option>
            ))}
          </Select>
        </label>
        <span className={layout.quiet}>
          {limit === null
            ? t('Exact figures of the shown columns, to paste into cells.')
            : t('{length} of {limit} characters', { length: exact(copied.text.length), limit: exact(limit) })}
        </span>
      </div>
      <textarea
        className={styles.text}
        data-even={target === 'mail' ? undefined : true}
        rows={12}
        readOnly
        value={copied.text}
        aria-label={words(text)}
        onFocus={(event) => event.target.select()}
      />
      {limit !== null && copied.rows < wanted.length && (
        <p className={layout.quiet}>
          <T
            of={
              target === 'mail'
                ? message('A mail holds {limit} characters: the first {rows} of {length} rows fit.')
                : message('A message holds {limit} characters: the first {rows} of {length} rows fit.')
            }
            limit={exact(limit)}
            rows={copied.rows}
            length={exact(wanted.length)}
          />
        </p>
      )}
      <DialogActions>
        <CopyButton text={copied.text} what={words(what)} look="primary" />
        <Button onClick={close}>{t('Close')}</Button>
      </DialogActions>
    </Dialog>
  );
}
