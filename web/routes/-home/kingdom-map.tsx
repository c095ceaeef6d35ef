import styles from './kingdom-map.module.css';
import picture from './kingdom-map.svg?url';

/** Scout routes from six kingdoms to the scanned one, in the map's 1200 × 560 view box. */
const ROUTES = [
  'M1152.7 415.7Q1006.7 246.4 860.6 217.1',
  'M454.8 510Q657.7 263.6 860.6 217.1',
  'M564.8 143.5Q712.7 110.3 860.6 217.1',
  'M1077.1 70.2Q968.8 43.7 860.6 217.1',
  'M577.3 403.8Q719 240.5 860.6 217.1',
  'M334.4 220.9Q597.5 119 860.6 217.1',
];
const SCOUTS = [
  [1153, 416],
  [455, 510],
  [565, 144],
  [1077, 70],
  [577, 404],
  [334, 221],
] as const;
const TARGET = 'translate(861 217)';

/**
 * The home page's map with scouts. The static parts are in a separate file that blocks nothing; they take their colours
 * from here.
 */
export const KingdomMap = () => (
  <svg className={styles.map} viewBox="0 0 1200 560" preserveAspectRatio="xMidYMid slice" aria-hidden>
    <use className={styles.held} href={`${picture}#held`} />
    <use className={styles.contour} href={`${picture}#contours`} />
    <use className={styles.border} href={`${picture}#borders`} />
    <use className={styles.front} href={`${picture}#front`} />
    {ROUTES.map((route) => (
      <path key={route} className={styles.route} d={route} />
    ))}
    <use className={styles.town} href={`${picture}#towns`} />
    {SCOUTS.map(([x, y]) => (
      <circle key={`${x},${y}`} className={styles.scout} cx={x} cy={y} r="4.5" />
    ))}
    <g transform={TARGET}>
      <circle className={styles.pulse} r="26" />
      <circle className={styles.ring} r="15" />
      <circle className={styles.target} r="6" />
    </g>
  </svg>
);
