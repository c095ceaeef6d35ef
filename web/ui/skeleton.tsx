import { T } from '../ui/text.tsx';
import styles from './skeleton.module.css';

/**
 * A placeholder of the given size (CSS lengths) while content loads. Hidden from screen readers. An SVG, because the
 * policy of pages allows no style attributes in markup from the Worker.
 */
export const Skeleton = ({ width = '100%', height = '1em' }: { width?: string; height?: string }) => (
  <svg className={styles.bone} width={width} height={height} aria-hidden />
);

/** Announces once that something is loading; used beside skeletons. Without JavaScript it would never arrive. */
export const Loading = ({ what }: { what: string }) => (
  <>
    <p className="visually-hidden" role="status">
      <T of="Loading {what}…" what={what} />
    </p>
    <noscript>
      <T of="JavaScript is needed to load {what}." what={what} />
    </noscript>
  </>
);

/** A column of skeletons of the given `heights` (CSS lengths), with one announcement. */
export const Skeletons = ({ what, heights }: { what: string; heights: readonly string[] }) => (
  <>
    <Loading what={what} />
    {heights.map((height, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: places have no other name.
      <Skeleton key={index} height={height} />
    ))}
  </>
);
