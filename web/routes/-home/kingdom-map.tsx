import styles from './kingdom-map.module.css';
import { MAP } from './map-paths.ts';

/** The picture of the home page: scouts of six kingdoms on their way into the one that is being counted. */
export const KingdomMap = () => (
  <svg className={styles.map} viewBox="0 0 1200 560" preserveAspectRatio="xMidYMid slice" aria-hidden>
    <path className={styles.held} d={MAP.held} />
    {MAP.contours.map((contour) => (
      <path key={contour} className={styles.contour} d={contour} />
    ))}
    <path className={styles.border} d={MAP.borders} />
    <path className={styles.front} d={MAP.front} />
    {MAP.routes.map((route) => (
      <path key={route} className={styles.route} d={route} />
    ))}
    {MAP.towns.map(([x, y]) => (
      <circle key={`${x},${y}`} className={styles.town} cx={x} cy={y} r="2" />
    ))}
    {MAP.scouts.map(([x, y]) => (
      <circle key={`${x},${y}`} className={styles.scout} cx={x} cy={y} r="4.5" />
    ))}
    <g transform={`translate(${MAP.target[0]} ${MAP.target[1]})`}>
      <circle className={styles.pulse} r="26" />
      <circle className={styles.ring} r="15" />
      <circle className={styles.target} r="6" />
    </g>
  </svg>
);
