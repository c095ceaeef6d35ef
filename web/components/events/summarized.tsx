import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { campColour } from '../../../domain/games/camps.ts';
import { GAMES, type GameId } from '../../../domain/games/games.ts';
import { addKnown, orNull } from '../../../domain/known.ts';
import { listed, t, words } from '../../../domain/language/text.ts';
import { type EventLines, type EventMeta, eventLinesQuery } from '../../api/events.ts';
import { Bars } from '../../chart/bars.tsx';
import { LineChart } from '../../chart/line-chart.tsx';
import { Race } from '../../chart/race.tsx';
import { capital, compact, exact, nameOr } from '../../format.ts';
import type { Column } from '../../table/column.ts';
import { Select } from '../../ui/select.tsx';
import { Skeletons } from '../../ui/skeleton.tsx';
import { useOwnTime } from '../../ui/time.tsx';
import { useTextMemo } from '../../ui/use-locale.ts';
import { CampMark } from '../difference/camp-mark.tsx';
import {
  type DifferenceRows,
  type GroupSum,
  NOBODY,
  type ScoredRows,
  sumsByKingdom,
} from '../difference/difference-rows.ts';
import { Standing } from '../difference/gain.tsx';
import { gain, type NamedSum, Sums } from '../difference/sums.tsx';
import { Weights } from '../difference/weights.tsx';
import { Failure } from '../failure.tsx';
import listing from '../listing.module.css';
import { Panels } from '../panel.tsx';
import { type Fighter, FighterCharts } from './fighter-charts.tsx';
import { marksOf } from './fights.tsx';
import { useScored, type ViewProps } from './individual.tsx';
import { RoomLink } from './room-link.tsx';
import styles from './summarized.module.css';

/** Figures that can be added up over a camp, in the game's order: no texts and no identifying numbers. */
const metricsOf = (game: GameId): { key: string; title: string }[] => [
  { key: 'dkp', title: t('DKP') },
  ...GAMES[game].columns
    .filter(({ type, ident, ours }) => type !== 'text' && !ident && !ours)
    .map(({ key, title }) => ({ key, title: words(title) })),
];

/** Compares camps and kingdoms by a figure over all scans of the range. */
export function Summarized({ id, meta, board, search, change }: ViewProps) {
  const metrics = useTextMemo(() => metricsOf(meta.game), [meta.game]);
  const metric = metrics.find(({ key }) => key === search.metric) ?? metrics[0] ?? { key: 'dkp', title: t('DKP') };
  const wanted = useMemo(() => [...new Set(['dkp', 'power', metric.key])], [metric.key]);
  const lines = useQuery(eventLinesQuery(id, board.range, wanted));
  const { answer, rows, scores, weights } = useScored({ id, meta, board, search });
  const sums = useMemo(() => (rows && scores ? sumsByKingdom(rows, scores) : null), [rows, scores]);
  const groups = useMemo(() => groupsOf(meta, sums), [meta, sums]);
  return (
    <section className={listing.listing} aria-label={t('Summarized')}>
      <Weights
        game={meta.game}
        weights={weights}
        usual={meta.weights}
        power_off={meta.power_off}
        change={(written) => change({ weights: written, page: undefined })}
      />
      <label className={styles.metric}>
        {t('Compared by')}
        <Select
          value={metric.key}
          onChange={({ target }) => change({ metric: target.value === 'dkp' ? undefined : target.value })}
        >
          {metrics.map(({ key, title }) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </Select>
      </label>
      {lines.error && <Failure error={lines.error} retry={() => void lines.refetch()} busy={lines.isFetching} />}
      {lines.data ? (
        <Charts meta={meta} lines={lines.data} metric={metric} />
      ) : (
        !lines.error && <Skeletons what={t('the lines')} heights={['18rem']} />
      )}
      {answer.error && <Failure error={answer.error} retry={() => void answer.refetch()} busy={answer.isFetching} />}
      {rows && scores && <Fighters meta={meta} rows={rows} scores={scores} />}
      <Groups title={t('Camps')} isCamps meta={meta} groups={groups.camps} lines={lines.data?.camps} metric={metric} />
      <Groups
        title={words(capital(GAMES[meta.game].kingdom.many))}
        meta={meta}
        groups={groups.kingdoms}
        lines={lines.data?.kingdoms}
        metric={metric}
      />
    </section>
  );
}

interface Metric {
  key: string;
  title: string;
}

const last = (values: readonly (number | null)[] | undefined): number | null => values?.at(-1) ?? null;

function Charts({ meta, lines, metric }: { meta: EventMeta; lines: EventLines; metric: Metric }) {
  const moments = useMemo(() => lines.ts.map((ts) => new Date(ts).toISOString()), [lines.ts]);
  const gained = useTextMemo(
    () =>
      meta.camps
        .map((camp) => ({
          label: words(camp),
          colour: campColour(camp) ?? 'var(--accent)',
          values: lines.camps[camp]?.gained[metric.key] ?? [],
        }))
        .toSorted((one, other) => (last(other.values) ?? 0) - (last(one.values) ?? 0)),
    [meta, lines, metric.key],
  );
  const lead = useMemo(() => gained.map((line) => ({ ...line, values: leadsOf(line.values, gained) })), [gained]);
  const marks = useTextMemo(() => marksOf(meta), [meta]);
  const kingdoms = meta.kingdoms
    .map((kingdom) => ({ kingdom, value: last(lines.kingdoms[kingdom]?.gained[metric.key]) }))
    .toSorted((one, other) => (other.value ?? 0) - (one.value ?? 0));
  return (
    <Panels>
      {gained.length > 1 && (
        <LineChart
          label={t('Lead over the next camp: {title}', { title: metric.title })}
          days={moments}
          lines={lead}
          marks={marks}
          opens
        />
      )}
      <LineChart
        label={t('{title} gained', { title: metric.title })}
        days={moments}
        lines={gained}
        marks={marks}
        opens
      />
      <Race
        label={t('The race: {title}', { title: metric.title })}
        moments={lines.ts.map(useOwnTime())}
        racers={gained.map(({ label, colour, values }) => ({ name: label, colour, values }))}
        show={compact}
      />
      <Bars
        framed
        label={t('{title} gained by {one}', { title: metric.title, one: words(GAMES[meta.game].kingdom.one) })}
        nameOf={[words(capital(GAMES[meta.game].kingdom.one)), metric.title]}
        reading={t('Point at a bar')}
        bars={kingdoms.map(({ kingdom, value }) => ({
          name: listed([kingdom, words(meta.kingdoms_to_camps[kingdom] ?? '')]),
          tick: kingdoms.length <= 16 ? kingdom : '',
          value: value === null ? null : Math.max(0, value),
        }))}
        show={compact}
        exact={exact}
      />
    </Panels>
  );
}

/** Returns how far a line is ahead of the best other one; negative if behind, null if one is unknown. */
const leadsOf = (own: readonly (number | null)[], all: readonly { values: readonly (number | null)[] }[]) =>
  own.map((value, at) => {
    const others = all.filter(({ values }) => values !== own).map(({ values }) => values[at] ?? null);
    return value === null || others.includes(null) ? null : value - Math.max(...(others as number[]));
  });

/** The event's governors as points, in the colours of their camps. */
function Fighters({ meta, rows, scores }: { meta: EventMeta; rows: DifferenceRows; scores: ScoredRows }) {
  const { roles } = GAMES[meta.game];
  const fighters = useTextMemo(() => {
    const { table, powers, ids, gains } = rows;
    const sure = (key: string, row: number) => {
      const found = gains.get(key);
      return found?.doubts[row] === 0 ? orNull(found.raw[row]) : null;
    };
    return Array.from({ length: table.common }, (_, row): Fighter => {
      const [t4, t5] = [sure(roles.tiers[3], row), sure(roles.tiers[4], row)];
      const camp = meta.kingdoms_to_camps[table.kingdoms[table.kingdom[row] ?? -1] ?? ''];
      return {
        name: nameOr(table.name[row] ?? '', String(ids[row])),
        power: orNull(powers[row]),
        dkp: orNull(scores.dkp[row]),
        kills: t4 === null || t5 === null ? null : t4 + t5,
        deads: sure(roles.deads, row),
        colour: camp && (campColour(camp) ?? undefined),
      };
    });
  }, [meta, rows, scores, roles]);
  return <FighterCharts fighters={fighters} goals={meta.goals} />;
}

interface Group extends NamedSum {
  camp: string;
}

/** Sums per kingdom, and per camp from its kingdoms. All values are unknown until the table has loaded. */
function groupsOf(meta: EventMeta, sums: readonly NamedSum[] | null) {
  const kingdoms = meta.kingdoms.map((kingdom): Group => {
    const sum = sums?.find(({ name }) => name === kingdom) ?? NOBODY;
    return { ...sum, name: kingdom, camp: meta.kingdoms_to_camps[kingdom] ?? '' };
  });
  const camps = meta.camps.map((camp): Group => {
    const sum: Group = { name: camp, camp, ...NOBODY };
    for (const each of kingdoms) if (each.camp === camp) addTo(sum, each);
    return sum;
  });
  return { camps, kingdoms };
}

function addTo(sum: GroupSum, { common, joined, gone, dkp, raw, left_out }: GroupSum): void {
  sum.common += common;
  sum.joined += joined;
  sum.gone += gone;
  sum.dkp = addKnown(sum.dkp, dkp);
  sum.raw = addKnown(sum.raw, raw);
  sum.left_out += left_out;
}

function Groups({
  title,
  isCamps = false,
  meta,
  groups,
  lines,
  metric,
}: {
  title: string;
  /** Otherwise kingdoms. */
  isCamps?: boolean;
  meta: EventMeta;
  groups: readonly Group[];
  lines: EventLines['camps'] | undefined;
  metric: Metric;
}) {
  const now = (id: string, name: string, key: string): Column<Group> => {
    const value = (group: Group) => last(lines?.[group.name]?.now[key]);
    return {
      id,
      title: name,
      about: t('Current value'),
      figures: true,
      value,
      cell: (group) => <Standing value={value(group)} />,
    };
  };
  const { key } = metric;
  const gained = ({ name }: Group) => last(lines?.[name]?.gained[key]);
  const compared = [
    gain('gained', t('{title} gained', { title: metric.title }), t('Without unverified figures'), gained),
    now('now', metric.title, key),
  ];
  return (
    <div className={styles.group}>
      <h2>{title}</h2>
      <Sums
        label={title}
        title={isCamps ? t('Camp') : words(capital(GAMES[meta.game].kingdom.one))}
        sums={groups}
        figures={[...(key === 'dkp' ? [] : compared), now('power', t('Power'), 'power')]}
        shown={({ name, camp }) =>
          isCamps ? (
            <CampMark name={name} />
          ) : (
            <>
              <RoomLink meta={meta} kingdom={name} />{' '}
              <span className={styles.of}>
                <CampMark name={camp} />
              </span>
            </>
          )
        }
      />
    </div>
  );
}
