import { Link } from '@tanstack/react-router';
import { t } from '../../../../domain/language/text.ts';
import { isMoving, progressOf } from '../../../../domain/orders/order.ts';
import { reasonText } from '../../../../domain/orders/reasons.ts';
import type { ItemHeader } from '../../../api/orders.ts';
import { Preparing } from '../../../components/preparing.tsx';
import { returnText } from '../../../components/returned.ts';
import { counted, exact, percentage } from '../../../format.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { T } from '../../../ui/text.tsx';
import styles from './-item-results.module.css';

/** Explains why an item has no results: in progress, failed or cancelled. */
export function NoResults({ item }: { item: ItemHeader }) {
  if (isMoving(item))
    return (
      <div className={styles.waiting}>
        {item.preparing_until === null ? (
          <p>
            <T
              of="Bots are at work on this scan: {exact} of {subtask_count} read. The results will appear here automatically."
              exact={exact(item.subtask_count - item.incomplete_count)}
              subtask_count={counted(item.subtask_count, 'part')}
            />
          </p>
        ) : (
          <Preparing item={item} />
        )}
        <Progress
          percent={progressOf(item)}
          label={t('Progress of the scan')}
          note={item.preparing_until === null ? percentage(progressOf(item)) : t('preparing')}
        />
      </div>
    );
  const reason = item.error && reasonText(item.error);
  return (
    <Notice
      tone="danger"
      action={
        <Link to="/orders/new" className={buttonClass()}>
          {t('New order')}
        </Link>
      }
    >
      {item.state === 'cancelled'
        ? (reason ?? t('This scan was cancelled and its price returned.'))
        : t('This scan failed. {value} {value1}', {
            value: reason ?? t('No rows came back.'),
            value1: returnText(item) ?? '',
          })}
    </Notice>
  );
}
