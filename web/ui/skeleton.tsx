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

/** Holds the places of what is being fetched, one below the other (`heights`, CSS lengths), and says so once. */
export const Skeletons = ({ what, heights }: { what: string; heights: readonly string[] }) => (
  <>
    <Loading what={what} />
    {heights.map((height, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: places have no other name.
      <Skeleton key={index} height={height} />
    ))}
  </>
);
