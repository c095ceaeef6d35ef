import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type BoardKind, KEPT_DAYS, METRIC_IDS, type Metric, metricTitle } from '../../../domain/boards/leaderboard.ts';
import { HIDDEN_ID, profileOf } from '../../../domain/boards/profile.ts';
import type { BoardRow, RowDay } from '../../../domain/boards/rows.ts';
import type { Day } from '../../../domain/days.ts';
import type { GameId } from '../../../domain/games/game-names.ts';
import { t } from '../../../domain/language/text.ts';
import { rowDaysQuery } from '../../api/boards.ts';
import { LineChart } from '../../chart/line-chart.tsx';
import { rankLabel } from '../../chart/scales.ts';
import { AccountOffer } from '../../components/account-offer.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { date, inSentence } from '../../format.ts';
import { T } from '../../ui/text.tsx';
import { useTextMemo } from '../../ui/use-locale.ts';
import styles from './-board.module.css';

interface Props {
  kind: BoardKind;
  game: GameId;
  metric: Metric;
  row: BoardRow;
  /** Day of the board. */
  day: Day;
}

/** Public history of a row, with links to its page or to registration. */
export default function RowDays({ kind, game, metric, row, day }: Props) {
  const days = useQuery(rowDaysQuery({ kind, game, metric }, row.rank, day));
  return (
    <div className={styles.days}>
      <Loaded query={days} what={t('the days before')} heights={['18rem']}>
        {(known) => <Lines days={known} kind={kind} game={game} metric={metric} />}
      </Loaded>
      {!isHidden(row) && <AccountOffer game={game} one={profileOf(row)} className={styles.next} />}
    </div>
  );
}

type Shown = Pick<Props, 'kind' | 'game' | 'metric'> & { days: readonly RowDay[] };

export function Lines({ days, kind, game, metric }: Shown) {
  const dates = useMemo(() => days.map(({ day }) => day), [days]);
  const charts = useTextMemo(() => {
    const line = (label: string, value: (day: RowDay) => number | null) => ({
      label,
      lines: [{ label, values: days.map(value) }],
    });
    const counted =
      kind === 'alliance' ? t('Members') : t('{game, select, cod {Lords scanned} other {Governors scanned}}', { game });
    return [
      ...METRIC_IDS.map((each) => line(metricTitle(game, each), (day) => day[each])),
      ...(kind === 'governor' ? [] : [line(counted, (each) => each.count)]),
    ].filter(({ lines }) => lines.some(({ values }) => values.some((value) => value !== null)));
  }, [days, kind, game]);
  const places = useTextMemo(() => [{ label: t('Place'), values: days.map(({ rank }) => rank) }], [days]);
  const [first] = days;
  return (
    <>
      <div className={styles.charts}>
        <LineChart
          label={t('Place by {game}', { game: inSentence(metricTitle(game, metric)) })}
          days={dates}
          lines={places}
          reversed
          show={rankLabel}
        />
        {charts.map(({ label, lines }) => (
          <LineChart key={label} label={label} days={dates} lines={lines} />
        ))}
      </div>
      {first && (
        <p className={styles.about}>
          <T
            of="On every board since {day}. Boards are kept for {KEPT_DAYS} days."
            day={date(first.day)}
            KEPT_DAYS={KEPT_DAYS}
          />
        </p>
      )}
    </>
  );
}

const isHidden = (row: BoardRow): boolean => 'governor_id' in row && row.governor_id === HIDDEN_ID;
