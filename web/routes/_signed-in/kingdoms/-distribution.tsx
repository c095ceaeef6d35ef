import { t } from '../../../../domain/language/text.ts';
import { compact, exact } from '../../../format.ts';
import styles from './-distribution.module.css';

/** Number of governors per power class, highest first; `title` is the game's plural. */
export function Distribution({
  title,
  classes,
}: {
  title: string;
  classes: readonly { from: number; count: number }[];
}) {
  const most = Math.max(1, ...classes.map(({ count }) => count));
  return (
    <table className={styles.table}>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('Power')}</th>
          <th scope="col">{title}</th>
        </tr>
      </thead>
      <tbody>
        {classes
          .map(({ from, count }, index) => ({ from, count, to: classes[index + 1]?.from }))
          .reverse()
          .map(({ from, to, count }) => (
            <tr key={from}>
              <th scope="row">{to === undefined ? `${compact(from)}+` : `${compact(from)}–${compact(to)}`}</th>
              <td>
                <span className={styles.bar} style={{ width: `${(count / most) * 100}%` }} />
              </td>
              <td className={styles.count}>{exact(count)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  );
}
