import { Link } from '@tanstack/react-router';
import { campColour } from '../../../domain/games/camps.ts';
import { GAME_NAMES } from '../../../domain/games/game-names.ts';
import { t, words } from '../../../domain/language/text.ts';
import { dashboardPath, type ListedEvent } from '../../api/events.ts';
import { compact, counted, date, exact } from '../../format.ts';
import { T } from '../../ui/text.tsx';
import { CampMark } from '../difference/camp-mark.tsx';
import styles from './event-map.module.css';
import { STATE_TITLE } from './event-words.ts';

const WIDTH = 480;
const HEIGHT = 260;

/**
 * Draws an event as a map: a group of towers per camp, one tower per kingdom. A tower's height is the kingdom's power,
 * its fill the DKP gained. The list below shows the same figures as text.
 */
export function EventMap({ event }: { event: ListedEvent }) {
  const { kingdom, name } = GAME_NAMES[event.game];
  const path = dashboardPath(event);
  return (
    <article className={styles.map} aria-labelledby={`event-${event.dashboard_id}`}>
      <header className={styles.head}>
        <h2 id={`event-${event.dashboard_id}`}>
          <Link {...path}>{event.name}</Link>
        </h2>
        <p>
          <T
            of="{span} {name} · {start} to {end} · {snapshots}"
            span={
              <span className={styles.state} data-state={event.state}>
                {words(STATE_TITLE[event.state])}
              </span>
            }
            name={name}
            start={date(event.start)}
            end={date(event.end)}
            snapshots={counted(event.snapshots, 'scan')}
          />
        </p>
      </header>
      {event.snapshots > 0 ? <Field event={event} /> : <p className={styles.unread}>{t('No scan of it yet.')}</p>}
      <ul className={styles.camps}>
        {event.camps.map((camp) => (
          <li key={camp.name}>
            <CampMark name={camp.name} />
            {event.snapshots > 0 && (
              <>
                <span title={camp.power === null ? t('Not read') : exact(camp.power)}>
                  <T of="{value} power" value={camp.power === null ? '?' : compact(camp.power)} />
                </span>
                <strong title={camp.dkp === null ? t('Not known') : exact(camp.dkp)}>
                  <T of="{value} DKP" value={camp.dkp === null ? '?' : compact(camp.dkp)} />
                </strong>
              </>
            )}
            <span className={styles.kingdoms}>
              {camp.strength.map(({ kingdom: number }) => (
                <Link
                  key={number}
                  {...path}
                  search={{ home: number }}
                  title={t('{one} {number} in the table', { one: words(kingdom.one), number })}
                >
                  {number}
                </Link>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </article>
  );
}

interface Tower {
  kingdom: string;
  colour: string | undefined;
  x: number;
  width: number;
  /** Relative to the strongest kingdom, 0 to 1. */
  power: number;
  gain: number;
}

const FLOOR = HEIGHT - 34;
const GAP = 3;

/** Lays out towers of equal width, camp by camp. */
function towersOf({ camps }: ListedEvent): Tower[] {
  const all = camps.flatMap(({ name, strength }) => strength.map((each) => ({ ...each, colour: campColour(name) })));
  const [power, gain] = [
    Math.max(1, ...all.map((each) => each.power ?? 0)),
    Math.max(1, ...all.map((each) => each.dkp ?? 0)),
  ];
  const width = (WIDTH - GAP * (all.length + 1)) / Math.max(1, all.length);
  return all.map((each, index) => ({
    kingdom: each.kingdom,
    colour: each.colour,
    x: GAP + index * (width + GAP),
    width,
    power: (each.power ?? 0) / power,
    gain: Math.max(0, each.dkp ?? 0) / gain,
  }));
}

function Field({ event }: { event: ListedEvent }) {
  const towers = towersOf(event);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={styles.field} aria-hidden>
      <path className={styles.ground} d={`M0 ${FLOOR}H${WIDTH}`} />
      {towers.map(({ kingdom, colour, x, width, power, gain }) => {
        const height = 12 + power * (FLOOR - 40);
        const top = FLOOR - height;
        const merlon = width / 5;
        return (
          <g key={kingdom} style={{ color: colour }}>
            <path
              className={styles.tower}
              d={`M${x} ${FLOOR}V${top}h${merlon}v6h${merlon}v-6h${merlon}v6h${merlon}v-6h${merlon}V${FLOOR}Z`}
            />
            <rect
              className={styles.gain}
              x={x}
              y={FLOOR - gain * (height - 8)}
              width={width}
              height={gain * (height - 8)}
            />
            {width > 24 && (
              <text className={styles.number} data-broad={width > 40 || undefined} x={x + width / 2} y={FLOOR + 14}>
                {kingdom}
              </text>
            )}
          </g>
        );
      })}
      <text className={styles.key} x={2} y={HEIGHT - 4}>
        {t('Height: power. Filled: DKP gained.')}
      </text>
    </svg>
  );
}
