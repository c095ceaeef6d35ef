import { t, words } from '../../../domain/language/text.ts';
import { killPoints, QUALITY_TEXT, QUALITY_TITLE } from '../../../domain/scans/quality.ts';
import type { Row } from '../../../domain/scans/rows.ts';
import { exact } from '../../format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { PlayerName } from '../../ui/player-name.tsx';
import { T } from '../../ui/text.tsx';
import styles from './flaws.module.css';
import { cellIn, gameOf, qualityOf } from './results.ts';

/** Explains why a row is marked, with the figures involved. */
export function FlawDialog({ row, close }: { row: Row; close: () => void }) {
  const quality = qualityOf(row);
  const { score, killPoints: weights, roles } = gameOf(row);
  const tiers = roles.tiers.map((key) => (typeof row[key] === 'number' ? row[key] : null));
  const known = tiers.filter((kills) => kills !== null);
  const points = cellIn(row, 'score');
  return (
    <Dialog title={words(QUALITY_TITLE[quality])} close={close}>
      <p>
        <T
          of="{name} ({id}): {text}"
          name={
            <strong>
              <PlayerName name={String(cellIn(row, 'name') ?? '')} />
            </strong>
          }
          id={String(cellIn(row, 'id') ?? '?')}
          text={words(QUALITY_TEXT[quality])}
        />
      </p>
      <dl className={styles.figures}>
        <div>
          <dt>
            <T of="{score} in the scan" score={words(score)} />
          </dt>
          <dd>{points === null ? '?' : exact(Number(points))}</dd>
        </div>
        {weights !== null && (
          <div>
            <dt>
              <T of="{score} computed from kills" score={words(score)} />
            </dt>
            <dd>{known.length < tiers.length ? '?' : exact(killPoints(known, weights))}</dd>
          </div>
        )}
        {tiers.map((kills, tier) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tiers never move.
          <div key={tier}>
            <dt>
              <T of="T{value} kills" value={tier + 1} />
            </dt>
            <dd>{kills === null ? '?' : exact(kills)}</dd>
          </div>
        ))}
        <div>
          <dt>{t('Deads')}</dt>
          <dd>{cellIn(row, 'deads') === null ? '?' : exact(Number(cellIn(row, 'deads')))}</dd>
        </div>
      </dl>
    </Dialog>
  );
}
