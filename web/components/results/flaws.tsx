import { TriangleAlert } from 'lucide';
import { message, t, words } from '../../../domain/language/text.ts';
import { QUALITY_TEXT, QUALITY_TITLE, type Quality } from '../../../domain/scans/quality.ts';
import { counted } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { T } from '../../ui/text.tsx';
import styles from './flaws.module.css';

/** Marks a misread row. The reason is in its title, and in a dialog for touch screens. */
export const FlawMark = ({ quality, ask }: { quality: Quality; ask: () => void }) => (
  <button type="button" className={styles.mark} title={words(QUALITY_TEXT[quality])} onClick={ask}>
    <Icon of={TriangleAlert} size={14} />
    <span className="visually-hidden">
      <T of="{quality}: why?" quality={words(QUALITY_TITLE[quality])} />{' '}
    </span>
  </button>
);

/** Summarizes misread rows, with a filter for them and a hint about Repair. */
export function FlawNotice({
  flaws,
  only,
  setOnly,
  many,
  repairable,
}: {
  flaws: readonly { quality: Quality; count: number }[];
  only: boolean;
  setOnly: (only: boolean) => void;
  many: string;
  /** The page offers Repair. */
  repairable: boolean;
}) {
  if (flaws.length === 0 && !only) return null;
  return (
    <Notice
      action={
        <Button aria-pressed={only} onClick={() => setOnly(!only)}>
          {only ? t('Show all {many}', { many: words(many) }) : t('Show only these')}
        </Button>
      }
    >
      <ul className={styles.list}>
        {flaws.map(({ quality, count }) => (
          <li key={quality}>
            <T
              of="<b>{label}:</b> {text}"
              b={(label) => <strong>{label}</strong>}
              label={counted(count, 'row')}
              text={words(QUALITY_TEXT[quality])}
            />
          </li>
        ))}
      </ul>
      {flaws.length > 0 && (
        <p>
          <T
            of={
              repairable
                ? message(
                    'Their figures are shown as scanned. Totals exclude unverified figures. Repair scans them again at no charge.',
                  )
                : message('Their figures are shown as scanned. Totals exclude unverified figures.')
            }
          />
        </p>
      )}
    </Notice>
  );
}
