import { TriangleAlert } from 'lucide';
import { killPoints, QUALITY_TEXT, QUALITY_TITLE, type Quality } from '../../../domain/scans/quality.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { counted, exact } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PlayerName } from '../../ui/player-name.tsx';
import styles from './flaws.module.css';
import { cellIn, gameOf, qualityOf } from './results.ts';

/** The mark of a row that was misread; it says why, to the pointer by its title and to a finger by a dialog. */
export const FlawMark = ({ quality, ask }: { quality: Quality; ask: () => void }) => (
  <button type="button" className={styles.mark} title={QUALITY_TEXT[quality]} onClick={ask}>
    <Icon of={TriangleAlert} size={14} />
    <span className="visually-hidden">{QUALITY_TITLE[quality]}: why? </span>
  </button>
);

/** Which of the rows were misread and how; the choice to see only those; what mends them. */
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
  /** The page offers to read them again. */
  repairable: boolean;
}) {
  if (flaws.length === 0 && !only) return null;
  return (
    <Notice
      action={
        <Button aria-pressed={only} onClick={() => setOnly(!only)}>
          {only ? `Show all ${many}` : 'Show only these'}
        </Button>
      }
    >
      <ul className={styles.list}>
        {flaws.map(({ quality, count }) => (
          <li key={quality}>
            <strong>{counted(count, 'row')}:</strong> {QUALITY_TEXT[quality]}
          </li>
        ))}
      </ul>
      {flaws.length > 0 && (
        <p>
          Their figures stay as they were read; sums leave out what is in doubt.
          {repairable && ' Repair sends bots to read them again, at no charge.'}
        </p>
      )}
    </Notice>
  );
}

/** Why a row is marked, with the figures that say so. */
export function FlawDialog({ row, close }: { row: Row; close: () => void }) {
  const quality = qualityOf(row);
  const { score, killPoints: weights, roles } = gameOf(row);
  const tiers = roles.tiers.map((key) => (typeof row[key] === 'number' ? row[key] : null));
  const known = tiers.filter((kills) => kills !== null);
  const points = cellIn(row, 'score');
  return (
    <Dialog title={QUALITY_TITLE[quality]} close={close}>
      <p>
        <strong>
          <PlayerName name={String(cellIn(row, 'name') ?? '')} />
        </strong>{' '}
        ({String(cellIn(row, 'id') ?? '?')}): {QUALITY_TEXT[quality]}
      </p>
      <dl className={styles.figures}>
        <div>
          <dt>{score} as read</dt>
          <dd>{points === null ? '?' : exact(Number(points))}</dd>
        </div>
        {weights !== null && (
          <div>
            <dt>{score} that follow from the kills</dt>
            <dd>{known.length < tiers.length ? '?' : exact(killPoints(known, weights))}</dd>
          </div>
        )}
        {tiers.map((kills, tier) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tiers never move.
          <div key={tier}>
            <dt>T{tier + 1} kills</dt>
            <dd>{kills === null ? '?' : exact(kills)}</dd>
          </div>
        ))}
        <div>
          <dt>Deads</dt>
          <dd>{cellIn(row, 'deads') === null ? '?' : exact(Number(cellIn(row, 'deads')))}</dd>
        </div>
      </dl>
    </Dialog>
  );
}
