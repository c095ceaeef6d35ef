import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode, useEffect } from 'react';
import { GAMES, type GameId } from '../../../../domain/games/games.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { type Moves, noteVisit } from '../../../api/monitored.ts';
import { GovernorLink, KingdomLink } from '../../../components/links.tsx';
import { Changed } from '../../../components/monitored/figures.tsx';
import { nameOf } from '../../../components/monitored/monitored.ts';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { counted, exact, nameOr } from '../../../format.ts';
import { PlayerName } from '../../../ui/player-name.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './since-visit.module.css';

type Kingdom = Moves['kingdoms'][number];
type Governor = { id: number; name: string };

/** Shows changes in the user's kingdoms since the last visit, and records this visit. */
export function SinceVisit({ moves: { last_visit, since, kingdoms, more } }: { moves: Moves }) {
  useEffect(() => {
    // If this fails, the next visit shows a longer period.
    void noteVisit().catch(() => undefined);
  }, []);
  return (
    <Panel
      title={last_visit === null ? t('In the last week') : t('Since your last visit')}
      about={<T of="Scans since {time}" time={<Time at={since} />} />}
    >
      {kingdoms.length === 0 ? (
        <Nothing>{t('None of your kingdoms was scanned since then.')}</Nothing>
      ) : (
        <div className={styles.list}>
          {kingdoms.map((kingdom) => (
            <MovedKingdom key={nameOf(kingdom) + kingdom.game} kingdom={kingdom} />
          ))}
          {more > 0 && (
            <p>
              <T
                of="{link} were scanned too."
                link={<Link to="/orders/reports">{counted(more, 'more kingdom', 'more kingdoms')}</Link>}
              />
            </p>
          )}
        </div>
      )}
    </Panel>
  );
}

function MovedKingdom({ kingdom }: { kingdom: Kingdom }) {
  const { game, kingdom_id, before, compared, joined, left, renamed, still } = kingdom;
  return (
    <article className={styles.kingdom} aria-label={t('Changes in {kingdom}', { kingdom: nameOf(kingdom) })}>
      <h3>
        <KingdomLink game={game} id={kingdom_id}>
          {nameOf(kingdom)}
        </KingdomLink>
      </h3>
      <dl className={styles.moves}>
        <Line title={t('Power')}>
          <Changed
            now={kingdom.power}
            by={kingdom.power_change}
            kingdom={{ before, compared }}
            over={t('since then')}
          />
        </Line>
        <Line title={words(GAMES[game].score)}>
          <Changed
            now={kingdom.score}
            by={kingdom.score_change}
            kingdom={{ before, compared }}
            over={t('since then')}
          />
        </Line>
        <Names title={t('Joined')} list={joined} game={game} />
        <Names
          title={t('Left')}
          list={left}
          game={game}
          more={({ kingdom_id: to }) =>
            to !== null && <T of=" to {kingdom}" kingdom={<KingdomLink game={game} id={to} />} />
          }
        />
        <Names
          title={t('Renamed')}
          list={renamed}
          game={game}
          more={({ old_name, id }) => <T of=", was {name}" name={<PlayerName name={nameOr(old_name, String(id))} />} />}
        />
        <Names title={t('No change')} list={still} game={game} />
      </dl>
      {before === null && <p>{t('There is no earlier scan to compare with.')}</p>}
    </article>
  );
}

const Line = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
);

/** The count and the strongest governors; nothing if there are no two scans to compare. */
function Names<Named extends Governor>({
  title,
  list,
  game,
  more,
}: {
  title: string;
  list: { count: number; governors: Named[] } | null;
  game: GameId;
  /** Additional text per governor. */
  more?: (governor: Named) => ReactNode;
}) {
  if (list === null) return null;
  const { count, governors } = list;
  const others = count - governors.length;
  return (
    <Line title={title}>
      {count === 0 ? (
        t('Nobody')
      ) : (
        <>
          <span className={styles.count}>{exact(count)}</span>
          <span>
            {governors.map((governor, index) => (
              <Fragment key={governor.id}>
                {index > 0 && ' · '}
                <span className={styles.governor}>
                  <GovernorLink game={game} id={governor.id} name={governor.name} />
                  {more?.(governor)}
                </span>
              </Fragment>
            ))}
            {others > 0 && t(' · and {others} more', { others: exact(others) })}
          </span>
        </>
      )}
    </Line>
  );
}
