import { date } from '../format.ts';
import styles from './news-article.module.css';

/** News as it appears on the dashboard. */
export const NewsArticle = ({
  news: { title, body, published_at },
}: {
  news: { title: string; body: string; published_at: number };
}) => (
  <article className={styles.news} aria-label={title}>
    <h3>{title}</h3>
    <time dateTime={new Date(published_at).toISOString()}>{date(published_at)}</time>
    <p>{body}</p>
  </article>
);
