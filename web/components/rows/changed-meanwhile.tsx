import type { ReactNode } from 'react';
import { arrow } from '../../../domain/language/formats.ts';
import { t } from '../../../domain/language/text.ts';
import { exact } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { T } from '../../ui/text.tsx';
import styles from './rows.module.css';

/** A part that differs between two versions; null if a version does not have it. */
export interface Difference {
  key: string;
  what: ReactNode;
  before: string | null;
  after: string | null;
}

const AT_ONCE = 30;

/** Differences between two versions. */
export const Differences = ({ label, of }: { label: string; of: readonly Difference[] }) => (
  <ul className={styles.changes} aria-label={label}>
    {of.slice(0, AT_ONCE).map(({ key, what, before, after }) => (
      <li key={key}>
        <T
          of={before === null ? '{what}: new, {after}' : '{what}: {before} {arrow} {after}'}
          what={what}
          before={<bdi className={styles.before}>{before}</bdi>}
          arrow={arrow()}
          after={after === null ? t('removed') : <bdi>{after}</bdi>}
        />
      </li>
    ))}
    {of.length > AT_ONCE && (
      <li>
        <T of="and {exact} more" exact={exact(of.length - AT_ONCE)} />
      </li>
    )}
  </ul>
);

/** Tells what somebody else changed since an edit began, and lets the user choose a version. */
export function ChangedMeanwhile({
  what,
  differences,
  saving,
  keep,
  take,
}: {
  /** Such as 'This roster'. */
  what: string;
  differences: readonly Difference[];
  saving: boolean;
  /** Saves the user's version in place of the other. */
  keep: () => void;
  /** Drops the user's version for the other. */
  take: () => void;
}) {
  return (
    <Notice tone="danger">
      <p>
        <T
          of="{what} changed while you edited it. Nothing of yours is saved yet. The other edit changed:"
          what={what}
        />
      </p>
      <Differences label={t('What changed meanwhile')} of={differences} />
      <p className={layout.wrap}>
        <Button onClick={take}>{t('Take the other version')}</Button>
        <Button busy={saving} onClick={keep}>
          {t('Save mine in its place')}
        </Button>
      </p>
    </Notice>
  );
}
