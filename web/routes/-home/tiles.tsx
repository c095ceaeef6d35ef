import styles from './tiles.module.css';

/** The home page's three illustrations, 320 × 140 each, in the page's colours. */

const ROWS = [
  { y: 26, name: 74, bar: 118 },
  { y: 48, name: 58, bar: 96 },
  { y: 70, name: 88, bar: 84 },
  { y: 92, name: 50, bar: 60 },
  { y: 114, name: 66, bar: 44 },
];

/** A ranking list being scanned line by line. */
export const TechnologyTile = () => (
  <svg className={styles.tile} viewBox="0 0 320 140" aria-hidden>
    {ROWS.map(({ y, name, bar }, index) => (
      <g key={y} className={index > 2 ? styles.faint : ''}>
        <circle className={styles.dot} cx="28" cy={y} r="5" />
        <rect className={styles.ink} x="44" y={y - 3} width={name} height="6" rx="3" />
        <rect className={styles.accent} x="170" y={y - 3} width={bar} height="6" rx="3" />
      </g>
    ))}
    <path className={styles.scan} d="M12 81H308" />
    <path className={styles.bracket} d="M12 22V10H24M296 10H308V22M308 118V130H296M24 130H12V118" />
  </svg>
);

const DAYS = [78, 70, 74, 58, 62, 44, 48, 30, 34, 22];

/** A figure over days and its sum. */
export const FeaturesTile = () => (
  <svg className={styles.tile} viewBox="0 0 320 140" aria-hidden>
    <path className={styles.line} d="M24 116H296M24 84H296M24 52H296M24 20H296" />
    <path className={styles.area} d={`M24 116L${points()}L294 116Z`} />
    <path className={styles.curve} d={`M${points()}`} />
    <circle className={styles.accent} cx="294" cy={DAYS.at(-1)} r="5" />
    <path className={styles.mark} d="M174 20V116" />
    <circle className={styles.hollow} cx="174" cy={DAYS[5]} r="4.5" />
  </svg>
);

const points = (): string => DAYS.map((y, day) => `${24 + day * 30} ${y}`).join('L');

const RINGS = [
  { radius: 30, count: 6 },
  { radius: 52, count: 12 },
];

/** Many bots around one order. */
export const ScaleTile = () => (
  <svg className={styles.tile} viewBox="0 0 320 140" aria-hidden>
    {RINGS.flatMap(({ radius, count }) =>
      Array.from({ length: count }, (_, index) => {
        const angle = ((index + (radius > 40 ? 0.5 : 0)) / count) * 2 * Math.PI;
        const x = Math.round(160 + radius * 2.3 * Math.cos(angle));
        const y = Math.round(70 + radius * Math.sin(angle));
        return (
          <g key={`${x},${y}`}>
            <path className={styles.line} d={`M160 70L${x} ${y}`} />
            <circle className={index % 3 === 0 ? styles.accent : styles.dot} cx={x} cy={y} r="4" />
          </g>
        );
      }),
    )}
    <circle className={styles.hollow} cx="160" cy="70" r="11" />
    <circle className={styles.accent} cx="160" cy="70" r="5" />
  </svg>
);
