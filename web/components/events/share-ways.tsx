import { feedPath } from '../../../domain/events/feed.ts';
import { t } from '../../../domain/language/text.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './share-ways.module.css';

/** A way to show something to others: a title and the text to copy. */
export type Way = readonly [title: string, text: string];

/** Ways to follow an event, or a kingdom in it. `api` is the API's origin. */
export const feedWay = (api: string, id: number, kingdom?: string): Way => [
  t('Feed of changes (JSON Feed)'),
  api + feedPath(id, kingdom),
];

/** Lists texts with a button to copy each. */
export const ShareWays = ({ ways }: { ways: readonly Way[] }) => (
  <ul className={styles.ways}>
    {ways.map(([title, text]) => (
      <li key={title}>
        <span>{title}</span>
        <CopyButton text={text} what={title} />
      </li>
    ))}
  </ul>
);
