import styles from './skeleton.module.css';

/** Holds the place of something that is being fetched, in its size (CSS lengths). Nothing for those who listen. */
export const Skeleton = ({ width = '100%', height = '1em' }: { width?: string; height?: string }) => (
  <span className={styles.bone} style={{ width, height }} aria-hidden />
);

/** Says once that something is being fetched; goes beside skeletons. */
export const Loading = ({ what }: { what: string }) => (
  <p className="visually-hidden" role="status">
    Loading {what}…
  </p>
);
